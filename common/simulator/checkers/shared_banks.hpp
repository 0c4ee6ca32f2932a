// SPDX-License-Identifier: MIT
// How shared memory is divided.
#pragma once

#include <cstdint>

namespace simulator {

constexpr std::uintptr_t word_shift = 2;
constexpr unsigned banks = 32, word_bytes = 4;
constexpr unsigned most_access_bytes = 16;  // that a lane loads or stores at a time
constexpr unsigned lower_half = 0xffff;     // of a warp's lanes: those with 8 bytes go half by half

}  // namespace simulator
