// SPDX-License-Identifier: MIT
// How shared memory is divided.
#pragma once

#include <bit>
#include <cstdint>

#include "simulator/observer.hpp"

namespace simulator {

constexpr std::uintptr_t word_shift = 2;
constexpr unsigned banks = 32, word_bytes = 4;
constexpr unsigned most_access_bytes = 16;  // that a lane loads or stores at a time
constexpr unsigned lower_half = 0xffff;     // of a warp's lanes: those with 8 bytes go half by half

// The largest power of two, up to `most`, by which the lanes' addresses leave the same remainder: so many
// bytes can be loaded at a time if they begin at the right place for one lane.
template <class AddressOf>
std::uintptr_t common_alignment(unsigned lanes, std::uintptr_t most, AddressOf address_of) {
  const std::uintptr_t first = address_of(static_cast<unsigned>(std::countr_zero(lanes)));
  std::uintptr_t unlike = most;
  for_each_lane(lanes, [&](unsigned lane) { unlike |= address_of(lane) ^ first; });
  return unlike & (~unlike + 1);
}

}  // namespace simulator
