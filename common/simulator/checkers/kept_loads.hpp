// SPDX-License-Identifier: MIT
// Loads of shared memory that a GPU does not make, because it has the word in a register.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "simulator/access_alignments.hpp"
#include "simulator/checkers/access_counts.hpp"
#include "simulator/checkers/place_pairs.hpp"
#include "simulator/observer.hpp"

namespace simulator {

// What a thread has loaded from shared memory a GPU keeps in a register as long as nothing may have changed
// it: across votes, shuffles and atomics on other arrays, and into the branches of a condition. The compiler
// of the simulator does not see that far. Which of two loads read the same place by their code is not known:
// they count as one as long as they do each time that they are made.
//
// Into branches a GPU also takes what lies beside a word that it loads in front of them: it loads both at
// once if that is aligned, whether or not a lane comes to where the program loads the second one. Behind a
// loop it loads it anew.
class KeptLoads {
 public:
  // Whether this load of shared memory does not count. If it turns out that earlier ones of the same place,
  // which did not count, do: `refuted(counters)` is told what they would have counted. `in_loop`: it is made
  // anew in each turn of a loop.
  template <class Refuted>
  bool keeps(const WarpAccess& access, bool in_loop, Refuted refuted);
  void basic_block(unsigned warp, std::uint32_t place) {
    if (count_ > 0 && place <= blocks_[warp]) go_back(warp, place);
    blocks_[warp] = place;
  }
  // What the simulator's compiler does not see through.
  void passes_by(unsigned warp, unsigned lanes);
  void shared_memory_changes() { count_ = 0; }
  void shared_array_changes(const WarpAccess& atomic);

 private:
  struct Load {
    std::uint32_t place, block;  // a basic block
    std::uint32_t varies_with;   // a load that its address depends on (access_alignments.hpp)
    unsigned warp, lanes, size;
    unsigned passed_by;  // lanes that have passed by something since
    bool of_earlier_round, is_behind_loop;
    unsigned together;  // what is loaded with it, itself included: a bit for each element of 16 aligned bytes
    std::array<std::uintptr_t, ModelDevice::lanes> addresses;
  };
  struct Pair {
    bool is_refuted = false;
    facts::Counters left_out{};
    std::intptr_t distance = 0;  // from one to the other, in bytes
  };

  void go_back(unsigned warp, std::uint32_t place);  // to an earlier place in the program
  void remember(const WarpAccess& access, std::uint32_t varies_with);
  void bring_to_front(unsigned number);  // in their order
  // Whether it is loaded with a word beside it. `missing`: what has to be counted on top.
  bool is_loaded_beside(const WarpAccess& access, facts::Counters& missing);
  // How many more wavefronts an earlier load takes that loads it too; nothing if it cannot.
  std::optional<unsigned> widen(Load& load, const WarpAccess& access, std::intptr_t distance);

  std::array<Load, 8> loads_;  // since shared memory was changed
  // By when they were made or kept last, the latest first; only the first count_ are there.
  std::array<std::uint8_t, 8> order_{0, 1, 2, 3, 4, 5, 6, 7};
  unsigned count_ = 0;
  static constexpr unsigned most_warps = ModelDevice::threads_of_block / ModelDevice::lanes;
  std::array<std::uint32_t, most_warps> blocks_{};              // that each warp is in
  std::unordered_map<std::uint64_t, Pair> pairs_, neighbours_;  // by places
};

template <class Refuted>
bool KeptLoads::keeps(const WarpAccess& access, bool in_loop, Refuted refuted) {
  // Of addresses that depend on what a loop loads it is by chance that they are the same in another turn, or
  // as one that depends on another load.
  const std::uint32_t varies_with = what_address_varies_with(access.place);
  for (unsigned i = 0; i < count_; ++i) {
    const Load& load = loads_[order_[i]];
    if (load.warp != access.warp || load.size != access.size || (access.lanes & ~load.lanes) != 0) continue;
    const bool is_behind_something = load.passed_by != 0;
    // Lanes that pass by without having loaded show that the load stands in a branch.
    if ((load.passed_by & ~load.lanes) != 0) continue;
    // In an earlier round of a loop: what stands in front of the loop on a GPU.
    if (load.of_earlier_round ? !(load.place == access.place && is_behind_something) || varies_with != 0
                              : !(is_behind_something || load.block != blocks_[access.warp]))
      continue;
    if (varies_with != load.varies_with) continue;
    Pair& pair = pairs_[pair_of(load.place, access.place)];
    if (pair.is_refuted) continue;
    bool is_same = true;
    for_each_lane(access.lanes,
                  [&](unsigned lane) { is_same &= load.addresses[lane] == access.address(lane); });
    if (is_same) {
      count(access, pair.left_out);
      bring_to_front(i);
      return true;
    }
    pair.is_refuted = true;
    refuted(pair.left_out);
  }
  facts::Counters missing{};
  const bool is_left_out = !in_loop && is_loaded_beside(access, missing);
  if (missing != facts::Counters{}) refuted(missing);
  remember(access, varies_with);
  return is_left_out;
}

}  // namespace simulator
