// SPDX-License-Identifier: MIT
// Two places of the program as one key.
#pragma once

#include <cstdint>

namespace simulator {

constexpr std::uint64_t pair_of(std::uint32_t place, std::uint32_t other) {
  return std::uint64_t{place} << 32 | other;
}

}  // namespace simulator
