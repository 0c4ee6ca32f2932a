// SPDX-License-Identifier: MIT
// What orders two accesses: barriers of the block and of its warps, and between blocks fences with atomics.
#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include "simulator/checkers/race_checker.hpp"

namespace simulator {

void RaceChecker::go_on(unsigned thread) {
  if (times_epoch_ != epoch_) {
    time_.fill(0);
    times_epoch_ = epoch_;
  }
  if (time_[thread] < Synchronisation::last_time) ++time_[thread];
}

void RaceChecker::warp_barrier(unsigned warp, unsigned lanes, std::uint32_t) {
  for_each_lane(lanes, [&](unsigned lane) { go_on(warp * ModelDevice::lanes + lane); });
}

void RaceChecker::fence(unsigned thread) { go_on(thread); }

std::uint32_t RaceChecker::block_of(const Mark& mark) const {
  if (in_this_block(mark)) return static_cast<std::uint32_t>(block_.number);
  const auto later =
      std::upper_bound(blocks_.begin(), blocks_.end(), mark.epoch,
                       [](std::uint32_t epoch, const Block& block) { return epoch < block.epoch; });
  return std::prev(later)->number;
}

// The bytes that both touch, by different threads.
std::uint64_t RaceChecker::bytes_of_others(const Mark& before, const Mark& now) const {
  const std::uint64_t both = before.bytes & now.bytes;
  const auto shares = [](const Mark& mark) {
    return mark.detail == byte_each || mark.detail == two_bytes_each;
  };
  if (!both || !in_this_block(before)) return both;
  if (!shares(before) && !shares(now)) return same_thread(before, now) ? 0 : both;
  constexpr unsigned anyone = most_threads;
  const auto owner = [&](const Mark& mark, unsigned byte) -> unsigned {
    if (!shares(mark)) return mark.several ? anyone : static_cast<unsigned>(mark.thread);
    const unsigned first = static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(mark.bytes)));
    return static_cast<unsigned>(mark.thread) + (byte - first) / (mark.detail == byte_each ? 1 : 2);
  };
  std::uint64_t others = 0;
  for (unsigned byte = 0; byte < shadow_word_bytes; ++byte) {
    if (!(both >> byte & 1)) continue;
    const unsigned one = owner(before, byte), other = owner(now, byte);
    if (one != other || one == anyone) others |= std::uint64_t{1} << byte;
  }
  return others;
}

bool RaceChecker::conflicts_now(const Mark& before, const Mark& now) const {
  return bytes_of_others(before, now) && !ordered(before, now);
}

bool RaceChecker::ordered(const Mark& before, const Mark& now) const {
  const auto point = [this](const Mark& mark) {
    return Synchronisation::Point{block_of(mark), mark.epoch, static_cast<unsigned>(mark.thread),
                                  static_cast<std::uint16_t>(mark.time), mark.strong ? address_ : 0};
  };
  Synchronisation& order = Synchronisation::instance();
  if (before.of_blocks) return false;
  if (!in_this_block(before))
    return order.meetings() > bounds_.meetings || order.happens_before(point(before), point(now), true);
  if (before.epoch != now.epoch) return true;
  if (before.of_warps) return false;
  if (order.forgets_block() && (before.time > 0 || now.time > 0)) return true;
  if (std::max(before.time, now.time) == Synchronisation::last_time) return true;
  if (before.thread / ModelDevice::lanes == now.thread / ModelDevice::lanes &&
      order.ordered_by_warp(point(before), point(now)))
    return true;
  // The merged logs of a warp need not have the order in which its lanes ran.
  return std::ranges::any_of(std::array{false, true}, [&](bool by_other_words) {
    return order.happens_before(point(before), point(now), by_other_words) ||
           order.happens_before(point(now), point(before), by_other_words);
  });
}

}  // namespace simulator
