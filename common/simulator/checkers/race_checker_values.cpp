// SPDX-License-Identifier: MIT
// Writes that leave the same: what a word holds, and how one write stands for several.
#include "simulator/checkers/race_checker.hpp"

namespace simulator {

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
