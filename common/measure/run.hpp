// SPDX-License-Identifier: MIT
// Runs an exercise on one input of any length, timed, and judges the result.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "judge/runner_session.hpp"
#include "measure/measurement.hpp"
#include "problems/input.hpp"
#include "runner/protocol.hpp"

namespace measure {

struct Sampling {
  StopRule rule = {};
  double highest_clock_mhz = 0;  // of the GPU; 0: its clock is not watched
  // Told how much of the input is done, from 0 to 1; may be empty.
  std::function<void(double)> progress = {};
  std::optional<std::uint64_t> piece_bytes = {};  // without it, the backend's
};

// `asked` with what came of it; its backend and variant say how to run, its length becomes the input's. An
// input that is longer than a piece, in lockstep than 1 MiB, is counted piece by piece,
// with a launch for each, and the pieces' results, times and counters are added up; a trace is of the first
// piece. Throws problems::InputError.
Record run(const judge::RunnerSettings& settings, const problems::Input& input, Record asked,
           const runner::RunOptions& options = {}, const Sampling& sampling = {});

}  // namespace measure
