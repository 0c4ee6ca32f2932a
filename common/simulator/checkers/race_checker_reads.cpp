// SPDX-License-Identifier: MIT
// What the race checker remembers of reads besides a word's first one, and which of them a write or an atomic
// conflicts with.
#include <algorithm>

#include "simulator/checkers/race_checker.hpp"

namespace simulator {

const RaceChecker::Mark* RaceChecker::conflicting_read(const Cell& cell, std::uintptr_t address,
                                                       const Mark& now) {
  const auto harms = [&](const Mark& read) {
    return (!both_strong(read, now) || is_lockstep_update(now, read)) && conflicts(read, now);
  };
  if (harms(cell.read)) return &cell.read;
  if (cell.read.has_further) {
    const FurtherReads& further = *further_reads_.find(address);
    if (harms(further.second)) return &further.second;
    if (harms(further.other)) return &further.other;
  }
  const auto first_of = [&](const auto& reads) {
    const auto found = std::ranges::find_if(reads, harms);
    return found == reads.end() ? nullptr : &*found;
  };
  if (!reads_of_warps_.empty()) {
    const auto of_word = reads_of_warps_.find(address / shadow_word_bytes);
    const Mark* const found = of_word == reads_of_warps_.end() ? nullptr : first_of(of_word->second);
    if (found) return found;
  }
  return cell.read.has_more ? first_of(*byte_reads_.find(address)) : nullptr;
}

RaceChecker::FurtherReads RaceChecker::further_reads(const Mark& read, std::uintptr_t address) {
  return read.has_further ? *further_reads_.find(address) : FurtherReads{};
}

RaceChecker::FurtherReads& RaceChecker::make_further_reads(Mark& read, std::uintptr_t address) {
  if (!read.has_further && !shared_) remembered_bytes_ += further_reads_.take(address);
  read.has_further = 1;
  return *further_reads_.find(address);
}

void RaceChecker::remember_further_read(Mark& first, std::uintptr_t address, const Mark& now) {
  const auto join_with = [&](Mark& known) {
    const Mark before = known;
    replace_read(known, now);
    known.bytes |= before.bytes;
    known.strong &= before.strong;
    known.has_more = before.has_more;
  };
  if (same_readers(first, now)) return join_with(first);
  const Mark second = further_reads(first, address).second;
  if (second.epoch == now.epoch && same_readers(second, now))
    return join_with(make_further_reads(first, address).second);
  // Of another warp, if there is one: within a warp a __syncwarp could still order it. And a plain one.
  const auto in_warp_of_first = [&](const Mark& mark) {
    return mark.thread / ModelDevice::lanes == first.thread / ModelDevice::lanes;
  };
  const bool is_known = second.epoch == now.epoch;
  const bool keeps =
      is_known && ((!in_warp_of_first(second) && second.strong <= now.strong) || second.strong < now.strong);
  const std::uint32_t known = first.bytes | (is_known ? second.bytes : 0);
  if (!keeps && is_known && (second.bytes & ~(first.bytes | now.bytes)))
    remember_read_of_bytes(first, address, second);
  if (is_known && times_epoch_ == epoch_) remember_read_of_warp(address, keeps ? now : second);
  if (!keeps) {
    make_further_reads(first, address).second = now;
  } else if (now.bytes & ~known) {
    remember_read_of_bytes(first, address, now);
  }
}

// (Of parts of a word several lanes may have read one each.)
void RaceChecker::remember_read_of_warp(std::uintptr_t address, const Mark& read) {
  if (read.bytes == whole_word)
    reads_of_warps_[address / shadow_word_bytes][read.thread / ModelDevice::lanes] = read;
}

void RaceChecker::remember_read_of_bytes(Mark& first, std::uintptr_t address, const Mark& now) {
  if (!shared_) remembered_bytes_ += byte_reads_.take(address);
  BytesMarks& reads = *byte_reads_.find(address);
  for (unsigned byte = 0; byte < shadow_word_bytes; ++byte) {
    if (!first.has_more) reads[byte] = {};
    if (now.bytes >> byte & 1) reads[byte] = now;
  }
  first.has_more = 1;
}

}  // namespace simulator
