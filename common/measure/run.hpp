// SPDX-License-Identifier: MIT
// Runs an exercise on one input of any length, timed, and judges the result.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "exercise/protocol.hpp"
#include "histogram/input.hpp"
#include "judge/notes.hpp"
#include "judge/runner_session.hpp"
#include "judge/workbook.hpp"
#include "measure/statistics.hpp"

namespace measure {

struct RunOptions {
  judge::Backend backend = judge::Backend::sim;
  std::string binning;
  std::optional<unsigned> block, grid;
  bool places = false;  // on the simulator: count by place in the program too
  std::optional<exercise::TraceRequest> trace;  // of the first piece
  std::optional<std::uint64_t> lockstep_seed;   // on the simulator: access by access, in an order drawn from it
  // Told how much of the input is done, from 0 to 1; may be empty.
  std::function<void(double)> progress;
};

struct RunReport {
  judge::Finding finding;           // pass, or what went wrong
  std::vector<std::uint64_t> bins;  // the kernel's counts, over all pieces; empty if there are none
  std::vector<std::uint64_t> expected;  // the CPU's counts, over the same pieces
  unsigned grid = 0, block = 0;     // of the launch over the first piece
  std::size_t launches = 0;         // one for each piece of the input
  std::optional<Summary> time_ms;   // the kernel alone, over all pieces; nothing on the simulator
  double throughput_gb_s = 0;       // input bytes over the median time, in 10^9 bytes a second; 0 if not timed
  exercise::Counters counters;
  std::map<std::uint64_t, exercise::Counters> places;
  std::optional<exercise::Trace> trace;  // if it was asked for and the kernel came to its end
  std::vector<judge::Note> notes;        // what is worth knowing and not wrong
  std::string output;  // the end of what the kernel printed, as lines for a message; empty: nothing
};

// An input that is longer than `piece_bytes(backend)`, or in lockstep than 1 MiB, is counted piece by piece, with a launch
// for each, and the pieces' bins, times and counters are added up. Throws histogram::InputError.
RunReport run(const judge::RunnerSettings& settings, const histogram::Input& input, const RunOptions& options);

std::uint64_t piece_bytes(judge::Backend backend);

}  // namespace measure
