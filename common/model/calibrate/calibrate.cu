// SPDX-License-Identifier: MIT
// Measures on this machine's GPU what the timing model needs to know of one: latencies, throughputs, and what
// contention costs. Prints one JSON document per line: {"schema":1,"kind":"calibration","gpu":…,"what":…, the
// setting, and what was found: "cycles" of a multiprocessor for each request, "ns" for a launch}. A few
// seconds for all parts; with arguments, the parts of these names (`main`).
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model/calibrate/atomic_queues.cuh"
#include "model/calibrate/cas_loops.cuh"
#include "model/calibrate/clock.cuh"
#include "model/calibrate/code_lengths.cuh"
#include "model/calibrate/constants.cuh"
#include "model/calibrate/copies.cuh"
#include "model/calibrate/exchanges.cuh"
#include "model/calibrate/global_atomics.cuh"
#include "model/calibrate/latencies.cuh"
#include "model/calibrate/launches.cuh"
#include "model/calibrate/measurement.cuh"
#include "model/calibrate/multiprocessor.cuh"
#include "model/calibrate/pieces.cuh"
#include "model/calibrate/pipes.cuh"
#include "model/calibrate/readings.cuh"
#include "model/calibrate/remainders.cuh"
#include "model/calibrate/switches.cuh"
#include "model/calibrate/turns.cuh"

using namespace calibrate;

int main(int count, char** arguments) {
  need(cudaGetDeviceProperties(&device, 0));
  const std::size_t bytes = std::size_t{2} << 30;
  unsigned* memory;
  need(cudaMalloc(&memory, bytes));
  need(cudaMemset(memory, 0, bytes));
  clock_mhz = measured_clock_mhz();
  const std::vector<std::pair<std::string, std::function<void()>>> parts{
      {"latencies", [&] { latencies(memory, bytes); }},
      {"launches", [&] { launches(memory); }},
      {"multiprocessor", [&] { one_multiprocessor(reinterpret_cast<const unsigned char*>(memory)); }},
      {"exchanges", [] { exchange_parts(); }},
      {"pipes", [] { pipes(); }},
      {"cas_loops", [] { cas_loop_parts(); }},
      {"constants", [] { constant_parts(); }},
      {"switches", [] { switch_parts(); }},
      {"code", [] { code_lengths(); }},
      {"remainders", [] { remainder_parts(); }},
      {"atomics", [&] { global_atomics(memory); }},
      {"queues", [&] { queues(memory); }},
      {"copies", [&] { copies(memory); }},
      {"pieces", [&] { pieces(reinterpret_cast<const unsigned char*>(memory), bytes); }},
      {"turns", [&] { turns_of_warps(memory, bytes / sizeof *memory); }},
      {"readings",
       [&] {
         need(cudaMemset(memory, 1, bytes));
         readings(memory);
       }},
  };
  const std::vector<std::string> wanted(arguments + 1, arguments + count);
  for (const std::string& name : wanted) {
    if (std::none_of(parts.begin(), parts.end(), [&](const auto& part) { return part.first == name; })) {
      std::fprintf(stderr, "calibrate: no part is called %s\n", name.c_str());
      return 2;
    }
  }
  for (const auto& [name, measure] : parts) {
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end()) measure();
  }
}
