// SPDX-License-Identifier: MIT
// Positions beyond 2^31 and 2^32, on the simulator, which could not run such a launch as a whole. A few of
// its blocks show where their threads read, and so do the blocks at the same places of a launch over a
// quarter of the length, whose positions fit in 31 bits.
#pragma once

#include <cstdint>
#include <optional>

#include "judge/runner_session.hpp"
#include "problems/reference.hpp"

namespace judge {

struct BeyondFinding {
  problems::Case what;
  facts::Finding finding;
};

// Why a kernel whose short cases are right is wrong beyond 32 bits; nothing where nothing speaks against it,
// or the blocks do not tell: where they draw their work from a counter, those that run would have to do all
// of it.
std::optional<BeyondFinding> fails_beyond_32_bits(const RunnerSettings& settings,
                                                  const problems::Reference& reference, std::uint64_t seed);

}  // namespace judge
