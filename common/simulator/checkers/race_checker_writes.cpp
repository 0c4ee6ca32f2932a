// SPDX-License-Identifier: MIT
// What the race checker remembers of plain writes: who made the last one to each word, or to each byte of it,
// and what it left there, since writes of the same value do each other no harm.
#include <algorithm>

#include "simulator/checkers/race_checker.hpp"

namespace simulator {

bool RaceChecker::has_changed(std::uintptr_t address, std::size_t bytes) {
  for (std::uintptr_t at = address; at < address + bytes;
       at = (at / shadow_word_bytes + 1) * shadow_word_bytes) {
    const Mark* const read = reads_.find(at);
    if (read && (read->has_write || read->has_atomics)) return true;
    const PlainWord* const plain = plain_.is_empty() ? nullptr : plain_.find(at);
    if (plain && plain->was_changed()) return true;
  }
  return false;
}

// A load finds what its block's last write has left, whoever else has written the same.
bool RaceChecker::write_conflicts(Mark write, const Mark& now, bool loads) const {
  if (loads) write.of_warps = write.of_blocks = 0;
  return conflicts(write, now);
}

const RaceChecker::Mark* RaceChecker::conflicting_write(const Cell& cell, std::uintptr_t address,
                                                        const Mark& now, bool loads) {
  if (write_conflicts(*cell.write, now, loads)) return cell.write;
  if (!cell.write->has_more) return nullptr;
  const auto& writes = *byte_writes_.find(address);
  const auto found = std::find_if(writes.begin(), writes.end(),
                                  [&](const Mark& write) { return write_conflicts(write, now, loads); });
  return found == writes.end() ? nullptr : &*found;
}

// Threads may write the bytes of a word one each: then the last write of each byte is kept.
void RaceChecker::remember_write(Mark& read, std::uintptr_t address, const Mark& now) {
  if (!read.has_write) {
    read.has_write = 1;
    if (!shared_) remembered_bytes_ += writes_.take(address);
  }
  Mark& write = *writes_.find(address);
  const Mark before = write;
  const bool goes_on =
      same_thread(before, now) && before.epoch == now.epoch && before.time == now.time && !before.has_more;
  const bool is_kept = before.has_more || (before.bytes & ~now.bytes);
  write = now;
  if (now.bytes == whole_word || !is_kept) return;
  if (goes_on) {
    write.bytes |= before.bytes;
    return;
  }
  write.has_more = 1;
  if (!before.has_more && !shared_) remembered_bytes_ += byte_writes_.take(address);
  auto& writes = *byte_writes_.find(address);
  for (unsigned byte = 0; byte < shadow_word_bytes; ++byte) {
    const auto bit = static_cast<std::uint8_t>(1u << byte);
    const Mark* const last = now.bytes & bit                            ? &now
                             : !before.has_more && (before.bytes & bit) ? &before
                                                                        : nullptr;
    if (last) writes[byte] = *last;
    if (last || !before.has_more) writes[byte].bytes = last ? bit : 0;
  }
}

// Writes that leave the same in the bytes that they share do no harm to each other.
bool RaceChecker::leaves_the_same(const WarpAccess& access, std::uintptr_t address, const Mark& before,
                                  const Mark& now) {
  const StoredValue& stored = access.stored(lane_);
  const WordValue& value = *values_.find(address);
  const unsigned bytes = before.bytes & now.bytes;
  if (!stored.known || (bytes & ~value.known)) return false;
  const std::uintptr_t word = address / shadow_word_bytes * shadow_word_bytes;
  for (unsigned byte = 0; byte < shadow_word_bytes; ++byte) {
    if ((bytes >> byte & 1) && value.bytes[byte] != stored.bytes[word + byte - access.address(lane_)])
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
  const StoredValue& stored = access.stored(lane_);
  WordValue& value = *values_.find(address);
  if (!value.known && !shared_) remembered_bytes_ += values_.take(address);
  if (now.bytes == whole_word && access.size == shadow_word_bytes && stored.known) {
    std::copy_n(stored.bytes.begin(), shadow_word_bytes, value.bytes.begin());
    value.known = whole_word;
    return;
  }
  const std::uintptr_t word = address / shadow_word_bytes * shadow_word_bytes;
  value.known = static_cast<std::uint8_t>(stored.known ? value.known | now.bytes : value.known & ~now.bytes);
  for (unsigned byte = 0; byte < shadow_word_bytes && stored.known; ++byte) {
    if (now.bytes >> byte & 1) value.bytes[byte] = stored.bytes[word + byte - access.address(lane_)];
  }
}

}  // namespace simulator
