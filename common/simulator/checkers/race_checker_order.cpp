// SPDX-License-Identifier: MIT
// When two accesses do each other no harm: something orders them (barriers of the block and of its warps, and
// between blocks fences with atomics), or they are writes that leave the same.
#include <algorithm>
#include <bit>
#include <limits>

#include "simulator/checkers/race_checker.hpp"

namespace simulator {

namespace {

constexpr std::uint8_t last_time = std::numeric_limits<std::uint8_t>::max();

}  // namespace

void RaceChecker::warp_barrier(unsigned warp, unsigned lanes, std::uint32_t) {
  if (times_epoch_ != epoch_) {
    time_.fill(0);
    for (auto& row : known_) row.fill(0);
    times_epoch_ = epoch_;
  }
  // Every lane learns what any of them knows, and that all of them have come this far.
  std::array<std::uint8_t, ModelDevice::lanes> joined{};
  const unsigned first = warp * ModelDevice::lanes;
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    std::uint8_t& time = time_[first + lane];
    if (time < last_time) ++time;
    for (unsigned l = 0; l < ModelDevice::lanes; ++l)
      joined[l] = std::max(joined[l], known_[first + lane][l]);
    joined[lane] = std::max(joined[lane], time);
  }
  for (unsigned rest = lanes; rest; rest &= rest - 1)
    known_[first + static_cast<unsigned>(std::countr_zero(rest))] = joined;
}

void RaceChecker::fence(unsigned thread) {
  fenced_.set(thread);
  fence_epoch_[thread] = epoch_;
  for (Acquire& acquire : acquires_) acquire.fenced |= acquire.thread == thread;
}

bool RaceChecker::conflicts_now(const Mark& before, const Mark& now) const {
  if (!(before.bytes & now.bytes) || same_thread(before, now)) return false;
  return !ordered(before, now);
}

bool RaceChecker::ordered(const Mark& before, const Mark& now) const {
  if (before.of_blocks) return false;
  if (!in_this_block(before)) return ordered_between_blocks(before, now);
  if (before.epoch != now.epoch) return true;
  if (before.of_warps) return false;
  if (before.thread / ModelDevice::lanes != now.thread / ModelDevice::lanes) return false;
  if (times_epoch_ != epoch_) return false;
  const std::uint8_t known = known_[now.thread][before.thread % ModelDevice::lanes];
  return known > before.time || known == last_time;
}

bool RaceChecker::ordered_between_blocks(const Mark& before, const Mark& now) const {
  if (too_many_meetings_) return true;
  for (const Acquire& acquire : acquires_) {
    if (!acquire.fenced || (acquire.thread != now.thread && acquire.epoch >= now.epoch)) continue;
    const std::vector<Release>& known = releases_.at(acquire.word);
    for (std::size_t i = 0; i < acquire.releases; ++i) {
      const Release& release = known[i];
      if (release.block != before.block || before.epoch > release.epoch) continue;
      if (before.thread == release.thread) return true;
      if (before.epoch < release.epoch && (release.all_fenced || before.epoch < release.fence_epoch))
        return true;
    }
  }
  return false;
}

// An atomic on global memory is where blocks meet: what this block has done and fenced can be relied on by
// blocks that come to the same word later.
void RaceChecker::synchronize_blocks(const WarpAccess& access, unsigned lane) {
  const unsigned thread = access.warp * ModelDevice::lanes + lane;
  if (too_many_meetings_ || (fenced_.none() && releases_.empty())) return;
  if (++meetings_ > bounds_.meetings) {
    too_many_meetings_ = true;
    releases_.clear();
    acquires_.clear();
    return;
  }
  const std::uintptr_t word = access.address[lane];
  std::vector<Release>& releases = releases_[word];
  if (!releases.empty()) acquires_.push_back({word, releases.size(), epoch_, thread, fenced_[thread]});
  const bool all_fenced = fenced_.count() == std::size_t{block_.extent.x} * block_.extent.y * block_.extent.z;
  if (fenced_[thread] || all_fenced) {
    releases.push_back(
        {static_cast<std::uint32_t>(block_.number), epoch_, fence_epoch_[thread], thread, all_fenced});
  }
}

// Writes that leave the same in the bytes that they share do no harm to each other.
bool RaceChecker::leaves_the_same(const WarpAccess& access, std::uintptr_t address, const Mark& before,
                                  const Mark& now) {
  const StoredValue& stored = *access.stored[lane_];
  const WordValue& value = *values_.find(address);
  const unsigned bytes = before.bytes & now.bytes;
  if (!stored.known || (bytes & ~value.known)) return false;
  const std::uintptr_t word = address / shadow_word_bytes * shadow_word_bytes;
  for (unsigned byte = 0; byte < shadow_word_bytes; ++byte) {
    if ((bytes >> byte & 1) && value.bytes[byte] != stored.bytes[word + byte - access.address[lane_]])
      return false;
  }
  return true;
}

// One of several writes that leave the same stands for all: what others did in order it does not.
void RaceChecker::join(Mark& now, const Mark& before) const {
  now.several = 1;
  now.of_blocks = before.of_blocks || !in_this_block(before);
  now.of_warps = before.of_warps || before.thread / ModelDevice::lanes != now.thread / ModelDevice::lanes;
}

void RaceChecker::remember_value(const WarpAccess& access, std::uintptr_t address, const Mark& now) {
  const StoredValue& stored = *access.stored[lane_];
  WordValue& value = *values_.find(address);
  if (!value.known && !shared_) remembered_bytes_ += values_.take(address);
  const std::uintptr_t word = address / shadow_word_bytes * shadow_word_bytes;
  value.known = static_cast<std::uint8_t>(stored.known ? value.known | now.bytes : value.known & ~now.bytes);
  for (unsigned byte = 0; byte < shadow_word_bytes && stored.known; ++byte) {
    if (now.bytes >> byte & 1) value.bytes[byte] = stored.bytes[word + byte - access.address[lane_]];
  }
}

}  // namespace simulator
