// SPDX-License-Identifier: MIT
// Loads of shared memory that a GPU does not make, because it has the word in a register.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

#include "simulator/checkers/access_counts.hpp"
#include "simulator/checkers/place_pairs.hpp"
#include "simulator/observer.hpp"

namespace simulator {

// What a thread has loaded from shared memory a GPU keeps in a register as long as nothing may have changed
// it: across votes, shuffles and atomics on other arrays, and into the branches of a condition. The compiler
// of the simulator does not see that far. Which of two loads read the same place by their code is not known:
// they count as one as long as they do each time that they are made.
class KeptLoads {
 public:
  // Whether this load of shared memory does not count. If it turns out that earlier ones of the same place,
  // which did not count, do: `refuted(counters)` is told what they would have counted.
  template <class Refuted>
  bool keeps(const WarpAccess& access, Refuted refuted);
  void basic_block(std::uint32_t place);
  // What the simulator's compiler does not see through.
  void passes_by(unsigned warp, unsigned lanes);
  void shared_memory_changes() { count_ = 0; }
  void shared_array_changes(const WarpAccess& atomic);

 private:
  struct Load {
    std::uint32_t place, block;  // a basic block
    unsigned warp, lanes, size;
    unsigned passed_by;  // lanes that have passed by something since
    bool of_earlier_round;
    std::array<std::uintptr_t, ModelDevice::lanes> addresses;
  };
  struct Pair {
    bool is_refuted = false;
    facts::Counters left_out{};
  };

  void remember(const WarpAccess& access);

  std::array<Load, 8> loads_;  // since shared memory was changed
  // By when they were made or kept last, the latest first; only the first count_ are there.
  std::array<std::uint8_t, 8> order_{0, 1, 2, 3, 4, 5, 6, 7};
  unsigned count_ = 0;
  std::uint32_t block_ = 0;
  std::unordered_map<std::uint64_t, Pair> pairs_;  // of places
};

template <class Refuted>
bool KeptLoads::keeps(const WarpAccess& access, Refuted refuted) {
  for (unsigned i = 0; i < count_; ++i) {
    const Load& load = loads_[order_[i]];
    if (load.warp != access.warp || load.size != access.size || (access.lanes & ~load.lanes) != 0) continue;
    const bool is_behind_something = load.passed_by != 0;
    // Lanes that pass by without having loaded show that the load stands in a branch.
    if ((load.passed_by & ~load.lanes) != 0) continue;
    // In an earlier round of a loop: what stands in front of the loop on a GPU.
    if (load.of_earlier_round ? !(load.place == access.place && is_behind_something)
                              : !(is_behind_something || load.block != block_))
      continue;
    Pair& pair = pairs_[pair_of(load.place, access.place)];
    if (pair.is_refuted) continue;
    bool is_same = true;
    for_each_lane(access.lanes,
                  [&](unsigned lane) { is_same &= load.addresses[lane] == access.address(lane); });
    if (is_same) {
      count(access, pair.left_out);
      std::rotate(order_.begin(), order_.begin() + i, order_.begin() + i + 1);
      return true;
    }
    pair.is_refuted = true;
    refuted(pair.left_out);
  }
  remember(access);
  return false;
}

}  // namespace simulator
