// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "facts/verdict.hpp"
#include "judge/notes.hpp"
#include "measure/measurement.hpp"
#include "measure/statistics.hpp"
#include "runner/protocol.hpp"

namespace measure {

struct RunReport {
  facts::Finding finding;               // pass, or what went wrong
  problems::Result result;              // of the kernel, over all pieces; empty if there is none
  problems::Result expected;            // of the CPU, over the same pieces
  unsigned grid = 0, block = 0;         // of the launch over the first piece
  std::optional<runner::Occupancy> occupancy;  // of a kernel timed on a GPU
  std::size_t launches = 0;                    // one for each piece of the input
  std::optional<Summary>
      time_ms;           // the kernel alone, over all pieces; nothing on the simulator, or without a pass
  unsigned dropped = 0;  // samples that do not count, because the GPU had lowered its clock
  std::optional<double>
      clock_mhz;               // of the GPU's multiprocessors: the median over the samples of the first piece
  double throughput_gb_s = 0;  // input bytes over the median time, in 10^9 bytes a second; 0 if not timed
  facts::Counters counters;
  std::map<std::uint64_t, facts::Counters> places;
  std::optional<facts::Trace> trace;  // if it was asked for and the kernel came to its end
  std::vector<facts::Finding> notes;      // what is worth knowing and not wrong
  std::string output;  // the end of what the kernel printed, as lines for a message; empty: nothing
};

// Puts a report together from the pieces that the input was cut into.
class ReportBuilder {
 public:
  // Samples of several pieces are added up in the order in which they were taken.
  void add(const Measurement& piece, std::uint64_t length);  // in elements
  // `program` is the runner's file, in which places are looked up; `output` what it printed.
  RunReport finish(const std::string& program, std::string output);

 private:
  RunReport report_;
  std::vector<double> times_;  // a sample each
  judge::Notes notes_;
  std::uint64_t bytes_ = 0;
};

}  // namespace measure
