// SPDX-License-Identifier: MIT
// Runs an exercise on one input of any length, timed, and judges the result.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "judge/runner_session.hpp"
#include "measure/measurement.hpp"
#include "problems/reference.hpp"
#include "runner/protocol.hpp"
#include "workbook/workbook.hpp"

namespace measure {

struct RunOptions {
  std::optional<unsigned> block, grid;
  bool places = false;                       // on the simulator: count by place in the program too
  std::optional<facts::TraceRequest> trace;  // of the first piece
  std::optional<std::uint64_t>
      lockstep_seed;  // on the simulator: access by access, in an order drawn from it
  StopRule rule = {};
  double highest_clock_mhz = 0;  // of the GPU; 0: its clock is not watched
  // Told how much of the input is done, from 0 to 1; may be empty.
  std::function<void(double)> progress;
};

// `asked` with what came of it; its backend and variant say how to run, its length becomes the input's. An
// input that is longer than the backend's pieces, or in lockstep than 1 MiB, is counted piece by piece,
// with a launch for each, and the pieces' results, times and counters are added up. Throws
// problems::InputError.
Record run(const judge::RunnerSettings& settings, const problems::Input& input, Record asked,
           const RunOptions& options = {});

}  // namespace measure
