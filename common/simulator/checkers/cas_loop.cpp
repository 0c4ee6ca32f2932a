// SPDX-License-Identifier: MIT
#include "simulator/checkers/cas_loop.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "simulator/checkers/access_counts.hpp"
#include "simulator/checkers/shared_banks.hpp"

namespace simulator {

namespace {

// Goes through such a loop, round by round.
class CasLoopOfWarp {
 public:
  explicit CasLoopOfWarp(const WarpAccess& access) : access_(access), left_(access.lanes) {
    if (access.kind != AccessKind::cas_loop_if_changed) return;
    for_each_lane(access.lanes, [&](unsigned lane) {
      unsigned first = 0;  // that has found the word
      while ((access.lanes >> first & 1) == 0 || !have_the_same_word(lane, first)) ++first;
      reached_[lane] = access.goal(first).found;
    });
  }

  CasLoop run() {
    for (;;) {
      WarpAccess load = access_;
      load.kind = AccessKind::load;
      load.lanes = left_;
      ++loop_.loads;
      loop_.load_wavefronts += wavefronts(load);
      if (access_.kind == AccessKind::cas_loop_if_changed) leave_what_is_reached();
      if (left_ == 0) return loop_;
      swap();
      if (left_ == 0) return loop_;
    }
  }

 private:
  bool have_the_same_word(unsigned lane, unsigned other) const {
    return access_.address(lane) == access_.address(other);
  }

  void leave_what_is_reached() {
    for_each_lane(left_, [&](unsigned lane) {
      if (reached_[lane] >= access_.goal(lane).wanted) left_ &= ~(1u << lane);
    });
  }

  bool changes(unsigned lane) const {
    return access_.kind == AccessKind::cas_loop_if_changed || (access_.unchanged >> lane & 1) == 0;
  }

  void change(unsigned lane) {
    if (access_.kind != AccessKind::cas_loop_if_changed) return;
    for_each_lane(left_, [&](unsigned other) {
      if (have_the_same_word(lane, other)) reached_[other] = access_.goal(lane).wanted;
    });
  }

  void count_change(std::uintptr_t address) {
    const auto known = std::ranges::find(loop_.words, address, &CasLoop::Word::address);
    if (known == loop_.words.end())
      loop_.words.push_back({address, 1});
    else
      ++known->changes;
  }

  // One for all lanes that are left. Each bank serves one lane, and all others have to try again. With 64
  // bits half a warp goes after the other, and fails where that has changed the word.
  void swap() {
    const bool is_long = access_.size > word_bytes;
    unsigned changed_by = 0;
    const unsigned trying = left_;
    for (const unsigned part : {is_long ? trying & lower_half : trying, is_long ? trying & ~lower_half : 0}) {
      if (part == 0) continue;
      loop_.swap_wavefronts += 2;
      std::uint32_t busy_banks = 0;
      for_each_lane(part, [&](unsigned lane) {
        const std::uintptr_t address = access_.address(lane);
        const std::uint32_t bank = 1u << (address >> word_shift) % banks;
        if ((std::exchange(busy_banks, busy_banks | bank) & bank) != 0) return;
        bool is_changed = false;
        for_each_lane(changed_by, [&](unsigned other) { is_changed |= have_the_same_word(lane, other); });
        if (is_changed) return;
        left_ &= ~(1u << lane);
        changed_by |= (changes(lane) ? 1u : 0u) << lane;
        change(lane);
        count_change(address);
      });
    }
    ++loop_.swaps;
  }

  const WarpAccess& access_;
  unsigned left_;                                            // lanes that go on
  std::array<std::uint64_t, ModelDevice::lanes> reached_{};  // by the lane's word, see Goal
  CasLoop loop_;
};

}  // namespace

CasLoop cas_loop_of(const WarpAccess& access) { return CasLoopOfWarp(access).run(); }

}  // namespace simulator
