// SPDX-License-Identifier: MIT
// What the simulator's observers see of a kernel's memory accesses.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "simulator/model_device.hpp"

namespace simulator {

enum class Space : std::uint8_t { global, shared };

enum class AccessKind : std::uint8_t {
  load,
  store,
  atomic,            // read-modify-write
  compare_and_swap,  // in shared memory a GPU goes twice for it
  atomic_increment,  // atomicAdd of the constant 1 whose result nobody uses: hardware merges lanes of one
                     // address
};

constexpr bool is_atomic(AccessKind kind) { return kind >= AccessKind::atomic; }
constexpr bool writes(AccessKind kind) { return kind != AccessKind::load; }

// Calls function(lane) for each lane of a set, from the lowest to the highest.
template <class Function>
void for_each_lane(unsigned lanes, Function function) {
  for (; lanes; lanes &= lanes - 1) function(static_cast<unsigned>(std::countr_zero(lanes)));
}

// What a lane's store left in memory. Unknown where one instruction stored more than 16 bytes.
struct StoredValue {
  std::array<unsigned char, 16> bytes;
  bool known;
};

// One instruction of a warp: the accesses that its lanes make together.
struct WarpAccess {
  AccessKind kind;
  Space space;
  unsigned size;        // bytes a lane
  std::uint32_t place;  // of the call in the program, an offset from its load address
  unsigned warp;        // of the block
  unsigned lanes;       // who takes part, a bit each
  std::array<std::uintptr_t, ModelDevice::lanes> address;     // of those lanes
  std::array<const StoredValue*, ModelDevice::lanes> stored;  // the same, of a store
};

}  // namespace simulator
