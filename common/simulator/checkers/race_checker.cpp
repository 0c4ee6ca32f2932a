// SPDX-License-Identifier: MIT
#include "simulator/checkers/race_checker.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "simulator/memory_map.hpp"

namespace simulator {

// Between intervals only what other blocks did is still needed, and there is more of it the longer the launch
// goes on.
void RaceChecker::forget_when_full() {
  if (remembered_bytes_ <= bounds_.remembered_bytes) return;
  only_reads_.clear();
  cells_.clear();
  byte_writes_.clear();
  values_.clear();
  remembered_bytes_ = 0;
}

void RaceChecker::block_begins(const BlockContext& block) {
  forget_when_full();
  block_ = block;
  block_epoch_ = ++epoch_;
  fenced_.reset();
  acquires_.clear();
}

void RaceChecker::block_barrier(std::uint32_t) {
  forget_when_full();
  ++epoch_;
}

RaceChecker::Mark RaceChecker::mark(const WarpAccess& access, unsigned lane) const {
  const unsigned thread = access.warp * ModelDevice::lanes + lane;
  Mark now;
  now.epoch = epoch_;
  now.place = access.place;
  now.block = static_cast<std::uint32_t>(block_.number);
  now.thread = static_cast<std::uint16_t>(thread);
  now.time = times_epoch_ == epoch_ ? time_[thread] : std::uint8_t{0};
  return now;
}

void RaceChecker::access(const WarpAccess& access) {
  shared_ = access.space == Space::shared;
  if (access.kind == AccessKind::load) {
    loads(access);
    return;
  }
  for (unsigned rest = access.lanes; rest; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (shared_ && access.size == shadow_word_bytes && is_atomic(access.kind)) {
      // Whatever comes later and races with this atomic races with one of those that are known.
      const std::uint32_t* const quiet_epoch = quiet_epochs_.find(access.address[lane]);
      if (quiet_epoch && *quiet_epoch == epoch_) continue;
    }
    Mark now = mark(access, lane);
    lane_ = lane;
    lane_words(access, lane, now);
    if (is_atomic(access.kind) && !shared_) synchronize_blocks(access, lane);
  }
}

// Neighbouring lanes often load from one word: such a word is looked at once.
void RaceChecker::loads(const WarpAccess& access) {
  const unsigned warp_time = times_epoch_ == epoch_;
  unsigned rest = access.lanes;
  while (rest) {
    const auto first = static_cast<unsigned>(std::countr_zero(rest));
    rest &= rest - 1;
    Mark now = mark(access, first);
    if (access.size >= shadow_word_bytes || warp_time) {
      lane_words(access, first, now);
      continue;
    }
    const std::uintptr_t address = access.address[first], word = address / shadow_word_bytes;
    const std::uint8_t bytes = static_cast<std::uint8_t>((1u << access.size) - 1);
    now.bytes = static_cast<std::uint8_t>(bytes << address % shadow_word_bytes);
    while (rest) {
      const std::uintptr_t next = access.address[static_cast<unsigned>(std::countr_zero(rest))];
      if (next / shadow_word_bytes != word) break;
      now.bytes |= static_cast<std::uint8_t>(bytes << next % shadow_word_bytes);
      now.several = 1;
      rest &= rest - 1;
    }
    word_access(access, address, now);
  }
}

void RaceChecker::lane_words(const WarpAccess& access, unsigned lane, Mark& now) {
  const std::uintptr_t address = access.address[lane], end = address + access.size;
  if (access.size == shadow_word_bytes) {
    now.bytes = whole_word;
    word_access(access, address, now);
    return;
  }
  for (std::uintptr_t word = address / shadow_word_bytes * shadow_word_bytes; word < end;
       word += shadow_word_bytes) {
    const std::uintptr_t begin = std::max(word, address) - word;
    const std::uintptr_t stop = std::min(word + shadow_word_bytes, end) - word;
    now.bytes = static_cast<std::uint8_t>(((1u << stop) - 1) & ~((1u << begin) - 1));
    word_access(access, std::max(word, address), now);
  }
}

// The cell of a word; null where none is needed, because the word was only ever read by one thread or in one
// instruction, and now is again.
RaceChecker::Cell* RaceChecker::cell_after_reads(const WarpAccess& access, std::uintptr_t address,
                                                 const Mark& now) {
  if (shared_) return cells_.find(address);
  Mark* const only_read = only_reads_.find(address);
  if (!only_read) return nullptr;
  if (!only_read->has_cell && access.kind == AccessKind::load &&
      (only_read->epoch == 0 || same_thread(*only_read, now))) {
    const std::uint8_t bytes = only_read->bytes;
    if (only_read->epoch == 0) remembered_bytes_ += only_reads_.take(address);
    *only_read = now;
    only_read->bytes |= bytes;
    return nullptr;
  }
  return cell_of(address, *only_read);
}

void RaceChecker::word_access(const WarpAccess& access, std::uintptr_t address, Mark now) {
  Cell* const found = cell_after_reads(access, address, now);
  if (!found) return;
  Cell& cell = *found;
  const bool atomic = is_atomic(access.kind);
  if (shared_ && !atomic) *quiet_epochs_.find(address) = 0;
  if (const Mark* const write = conflicting_write(cell, address, now, access.kind == AccessKind::load)) {
    if (access.kind == AccessKind::store && leaves_the_same(access, address, *write, now)) {
      note(access, address, *write, now);
      join(now, *write);
    } else {
      report(access, address, cell, *write, now, AccessKind::store);
    }
  }
  if (access.kind == AccessKind::store) remember_value(access, address, now);
  for (const Mark* before : {&cell.atomics[1], &cell.atomics[0]}) {
    if (atomic || !conflicts(*before, now)) continue;
    report(access, address, cell, *before, now, AccessKind::atomic);
    break;
  }
  if (access.kind == AccessKind::load) {
    remember_read(cell, now);
    return;
  }
  for (const Mark* read : {&cell.reads[0], &cell.reads[1], &cell.other_read}) {
    if (!conflicts(*read, now)) continue;
    report(access, address, cell, *read, now, AccessKind::load);
    break;
  }
  if (atomic) {
    remember_atomic(cell, now);
    if (shared_ && is_quiet(cell)) *quiet_epochs_.find(address) = epoch_;
  } else {
    remember_write(cell, address, now);
  }
}

void RaceChecker::remember_atomic(Cell& cell, const Mark& now) const {
  const auto same_warp = [&](const Mark& mark) {
    return mark.epoch == now.epoch && mark.thread / ModelDevice::lanes == now.thread / ModelDevice::lanes;
  };
  auto& [latest, second] = cell.atomics;
  const bool kept = second.epoch == now.epoch && !same_warp(second) && same_warp(latest);
  if (!kept && !same_thread(latest, now)) second = latest;
  latest = now;
}

// A load finds what its block's last write has left, whoever else has written the same.
bool RaceChecker::write_conflicts(Mark write, const Mark& now, bool loads) const {
  if (loads) write.of_warps = write.of_blocks = 0;
  return conflicts(write, now);
}

bool RaceChecker::is_quiet(const Cell& cell) const {
  const auto& [latest, second] = cell.atomics;
  return latest.epoch == epoch_ && second.epoch == epoch_ &&
         latest.thread / ModelDevice::lanes != second.thread / ModelDevice::lanes &&
         latest.bytes == whole_word && second.bytes == whole_word && is_settled(cell.write) &&
         is_settled(cell.reads[0]) && is_settled(cell.reads[1]) && is_settled(cell.other_read);
}

const RaceChecker::Mark* RaceChecker::conflicting_write(const Cell& cell, std::uintptr_t address,
                                                        const Mark& now, bool loads) {
  if (write_conflicts(cell.write, now, loads)) return &cell.write;
  if (!cell.write.by_bytes) return nullptr;
  const auto& writes = *byte_writes_.find(address);
  const auto found = std::find_if(writes.begin(), writes.end(),
                                  [&](const Mark& write) { return write_conflicts(write, now, loads); });
  return found == writes.end() ? nullptr : &*found;
}

// Threads may write the bytes of a word one each: then the last write of each byte is kept.
void RaceChecker::remember_write(Cell& cell, std::uintptr_t address, const Mark& now) {
  const Mark before = cell.write;
  const bool goes_on =
      same_thread(before, now) && before.epoch == now.epoch && before.time == now.time && !before.by_bytes;
  const bool is_kept = before.by_bytes || (before.bytes & ~now.bytes);
  cell.write = now;
  if (now.bytes == whole_word || !is_kept) return;
  if (goes_on) {
    cell.write.bytes |= before.bytes;
    return;
  }
  cell.write.by_bytes = 1;
  if (!before.by_bytes && !shared_) remembered_bytes_ += byte_writes_.take(address);
  auto& writes = *byte_writes_.find(address);
  for (unsigned byte = 0; byte < shadow_word_bytes; ++byte) {
    const auto bit = static_cast<std::uint8_t>(1u << byte);
    const Mark* const last = now.bytes & bit                            ? &now
                             : !before.by_bytes && (before.bytes & bit) ? &before
                                                                        : nullptr;
    if (last) writes[byte] = *last;
    if (last || !before.by_bytes) writes[byte].bytes = last ? bit : 0;
  }
}

RaceChecker::Cell* RaceChecker::cell_of(std::uintptr_t address, Mark& only_read) {
  Cell* const cell = cells_.find(address);
  if (cell && !only_read.has_cell) {
    only_read.has_cell = 1;
    remembered_bytes_ += only_reads_.take(address) + cells_.take(address);
    if (only_read.epoch != 0) (in_this_block(only_read) ? cell->reads[0] : cell->other_read) = only_read;
  }
  return cell;
}

void RaceChecker::remember_read(Cell& cell, const Mark& now) const {
  Mark& latest = cell.reads[0];
  if (latest.epoch == now.epoch) {
    if (latest.thread == now.thread) {
      latest.bytes |= now.bytes;
      latest.several |= now.several;
      latest.place = now.place;
      latest.time = now.time;
      return;
    }
    // Of another warp, if there is one: within a warp a __syncwarp could still order it.
    Mark& second = cell.reads[1];
    const bool kept = second.epoch == now.epoch && second.thread != now.thread &&
                      second.thread / ModelDevice::lanes != latest.thread / ModelDevice::lanes;
    if (!kept) {
      second = now;
    } else {
      second.bytes |= now.bytes;
    }
    return;
  }
  if (latest.epoch != 0 && !in_this_block(latest)) cell.other_read = latest;
  latest = now;
}

namespace {

// "reads counts[3]"
std::string doing(AccessKind kind, std::string_view object) {
  return kind == AccessKind::load    ? fmt::format("reads {}", object)
         : kind == AccessKind::store ? fmt::format("writes {}", object)
                                     : fmt::format("changes {} atomically", object);
}

}  // namespace

ThreadLocation RaceChecker::location(const Mark& mark) const {
  const auto split = [](std::uint64_t number, dim3 extent) {
    return uint3{static_cast<unsigned>(number % extent.x),
                 static_cast<unsigned>(number / extent.x % extent.y),
                 static_cast<unsigned>(number / extent.x / extent.y)};
  };
  return {split(mark.thread, block_.extent), split(mark.block, block_.grid)};
}

void RaceChecker::note(const WarpAccess& access, std::uintptr_t address, const Mark& before,
                       const Mark& now) {
  hazards_.add({.kind = facts::Verdict::pass,
                .what = fmt::format("several threads write the same value to {}",
                                    name_of_element(address, access.size)),
                .threads = {location(before), location(now)},
                .sites = {before.place, now.place}});
}

void RaceChecker::report(const WarpAccess& access, std::uintptr_t address, const Cell& cell,
                         const Mark& before, const Mark& now, AccessKind kind_before) {
  const auto has_read = [&](const Mark& read) {
    return read.epoch == now.epoch && read.thread == now.thread;
  };
  const bool changes =
      access.kind == AccessKind::store && (has_read(cell.reads[0]) || has_read(cell.reads[1]));
  Hazard hazard{.kind = facts::Verdict::race,
                .what = {},
                .threads = {location(before), location(now)},
                .sites = {before.place, now.place}};
  hazard.across_blocks = !in_this_block(before);
  hazard.within_warp =
      !hazard.across_blocks && before.thread / ModelDevice::lanes == now.thread / ModelDevice::lanes;
  hazard.read_modify_write = changes && kind_before == AccessKind::store;
  const std::string element = name_of_element(address, access.size);
  hazard.what = hazard.read_modify_write ? fmt::format("two threads change {} without an atomic", element)
                                         : fmt::format("one thread {} while another {}",
                                                       doing(kind_before, element), doing(access.kind, "it"));
  hazards_.add(std::move(hazard));
}

}  // namespace simulator
