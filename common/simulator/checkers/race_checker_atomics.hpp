// SPDX-License-Identifier: MIT
// What the race checker remembers of atomics and strong stores, and of which atomics nothing has to be looked
// at: most of them are "plain", and add only to what such atomics have left. A part of race_checker.cpp,
// which alone includes it: all of this is inlined into its loops over lanes.
#pragma once

#include "simulator/checkers/race_checker.hpp"

namespace simulator {

// Of atomics: whether none of them harms another one, whoever makes it, and nothing orders threads one by
// one.
inline bool RaceChecker::is_plain(const WarpAccess& access) const {
  return access.size == shadow_word_bytes && (shared_ || !access.for_block) && !access.updates &&
         times_epoch_ != epoch_;
}

inline bool RaceChecker::is_plain(const Mark& atomic) const {
  return (shared_ || !atomic.for_block) && !atomic.update && atomic.bytes == whole_word && !atomic.is_long &&
         atomic.detail != strong_store;
}

// In shared memory what happened before this interval conflicts with nothing that comes.
inline bool RaceChecker::is_plain_alone(const Mark& read, std::uintptr_t address) {
  const auto& [latest, second] = *atomics_.find(address);
  const auto is_plain_or_past = [this](const Mark& atomic) {
    return is_plain(atomic) || (shared_ ? is_settled(atomic) : atomic.epoch == 0);
  };
  if (!is_plain_or_past(latest) || !is_plain_or_past(second) || read.has_more) return false;
  if (!shared_) return read.epoch == 0 && !read.has_write && !read.has_further;
  return is_settled(read) && (!read.has_write || !may_be_changed(*writes_.find(address))) &&
         are_settled(further_reads(read, address));
}

// Whether that can be told without a look at who made them: check_atomics() would find nothing.
template <RaceChecker::Kind kind>
inline bool RaceChecker::harms_no_atomic(const Atomics& atomics, const Mark& now) const {
  const auto is_harmless = [&](const Mark& before) {
    const bool both_are_atomic = kind == Kind::atomic && before.strong && !before.for_block &&
                                 !before.update && !now.for_block && !now.update && same_size(before, now);
    return both_are_atomic || is_settled(before);
  };
  return is_harmless(atomics[0]) && is_harmless(atomics[1]);
}

// Whether atomics of two threads are known of this interval.
inline bool RaceChecker::remember_atomic(Mark& read, std::uintptr_t address, const Mark& now) {
  Atomics& atomics = *atomics_.find(address);
  if (read.has_atomics) return replace_atomic(atomics, now);
  read.has_atomics = 1;
  atomics[0] = now;
  if (!shared_) remembered_bytes_ += atomics_.take(address);
  return false;
}

inline bool RaceChecker::replace_atomic(Atomics& atomics, const Mark& now) const {
  auto& [latest, second] = atomics;
  const auto same_warp = [&](const Mark& mark) {
    return mark.epoch == now.epoch && mark.thread / ModelDevice::lanes == now.thread / ModelDevice::lanes;
  };
  const bool kept = second.epoch == now.epoch && !same_warp(second) && same_warp(latest);
  if (!kept && !same_thread(latest, now)) second = latest;
  latest = now;
  return second.epoch == now.epoch;
}

// The same of plain atomics, without branches: which of them a word has met before is anyone's guess.
// `is_first`: of all that happens to the word in this interval. Whether those of two warps are known of it
// now.
inline bool RaceChecker::replace_plain_atomic(Atomics& atomics, PackedMark now, bool is_first) const {
  auto& [latest, second] = atomics;
  constexpr unsigned warp_bits = (most_threads - 1) & ~(ModelDevice::lanes - 1);
  const PackedMark last = PackedMark::of(latest), before = PackedMark::of(second);
  const std::uint32_t epoch = PackedMark::epoch_of(now.common),
                      epoch_of_last = PackedMark::epoch_of(last.common),
                      epoch_before = PackedMark::epoch_of(before.common),
                      unlike_last = PackedMark::threads_of(now.own ^ last.own),
                      unlike_before = PackedMark::threads_of(now.own ^ before.own);
  const bool is_kept = (epoch_before == epoch) & ((unlike_before & warp_bits) != 0) &
                       (epoch_of_last == epoch) & ((unlike_last & warp_bits) == 0);
  const bool is_same_thread =
      (epoch_of_last >= block_epoch_) & (unlike_last == 0) & (is_first | !latest.several);
  const PackedMark kept = (is_kept | is_same_thread) ? before : last;
  kept.put(second);
  now.put(latest);
  return (PackedMark::epoch_of(kept.common) == epoch) &
         ((PackedMark::threads_of(now.own ^ kept.own) & warp_bits) != 0);
}

inline bool RaceChecker::becomes_quiet(const Mark& read, std::uintptr_t address) {
  const auto& [latest, second] = *atomics_.find(address);
  return latest.epoch == epoch_ && second.epoch == epoch_ &&
         latest.thread / ModelDevice::lanes != second.thread / ModelDevice::lanes &&
         latest.bytes == whole_word && second.bytes == whole_word && !latest.is_long && !second.is_long &&
         !latest.update && !second.update && latest.detail != strong_store && second.detail != strong_store &&
         (!read.has_write || is_settled(*writes_.find(address))) && is_settled(read) &&
         are_settled(further_reads(read, address));
}

}  // namespace simulator
