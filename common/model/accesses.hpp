// SPDX-License-Identifier: MIT
// What a kernel's stream and its machine code have in common: accesses to memory, barriers, and operations of
// a warp.
#pragma once

#include <array>
#include <cstddef>

#include "model/stream.hpp"

namespace model {

// Loads and stores of global memory by the bytes of a lane, for a kernel may have a loop for vectors and one
// for the bytes that are left.
enum class AccessKind : std::size_t {
  shared_load,
  global_load,
  global_load_2,
  global_load_4,
  global_load_8,
  global_load_16,
  shared_store,
  global_store,
  global_store_2,
  global_store_4,
  global_store_8,
  global_store_16,
  shared_atomic,
  global_atomic,
  barrier,
  shuffle,
  match,
  redux,
  vote,
  count
};
using Accesses = std::array<double, static_cast<std::size_t>(AccessKind::count)>;

// Of a mean warp.
Accesses accesses_of(const Stream& stream);

// Of loads or stores of global memory, of which `first` is of one byte.
AccessKind of_bytes(AccessKind first, unsigned bytes);

bool is_global_load(AccessKind kind);
// Whether lanes get what others bring: a shuffle, match or redux.
bool is_exchange(AccessKind kind);

}  // namespace model
