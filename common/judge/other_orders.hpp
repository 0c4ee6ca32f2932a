// SPDX-License-Identifier: MIT
// On the simulator a block runs when the one before it has ended, and a lane until it waits. A kernel whose
// result is right only because of that is found by running short cases again in lockstep, where the threads
// take turns access by access (docs/lockstep.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "judge/case.hpp"

namespace judge {

// The first of these cases that fails when threads or blocks take turns; nothing if none does. `passed`: the
// cases that are right otherwise, shortest first, of which some are taken. The same seed gives the same
// turns. `begin` starts a runner, null if it does not start: a launch of several blocks is the first of its
// process, since variables of the kernel's file may hold what an earlier launch has left.
std::optional<CaseResult> fails_in_other_order(const std::function<std::unique_ptr<RunnerSession>()>& begin,
                                               const std::string& program,
                                               const problems::Reference& reference,
                                               const std::vector<CaseResult>& passed, std::uint64_t seed);

}  // namespace judge
