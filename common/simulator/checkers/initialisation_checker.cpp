// SPDX-License-Identifier: MIT
#include "simulator/checkers/initialisation_checker.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "simulator/memory_map.hpp"

namespace simulator {

namespace {

// Calls `visit(cell address, byte mask)` for each word of an access.
template <class Visit>
void for_each_word(std::uintptr_t address, unsigned size, Visit visit) {
  const std::uintptr_t end = address + size;
  for (std::uintptr_t word = address / shadow_word_bytes * shadow_word_bytes; word < end;
       word += shadow_word_bytes) {
    const std::uintptr_t begin = std::max(word, address) - word;
    const std::uintptr_t stop = std::min(word + shadow_word_bytes, end) - word;
    visit(std::max(word, address), static_cast<std::uint8_t>(((1u << stop) - 1) & ~((1u << begin) - 1)));
  }
}

constexpr std::uint32_t global_epoch = 1;

}  // namespace

bool InitialisationChecker::is_in_uninitialised_array(std::uintptr_t address) {
  if (latest_.range.contains(address, 1)) return !latest_.initialised;
  if (before_.range.contains(address, 1)) return !before_.initialised;
  for (const NamedArray& array : DeviceArrays::instance().all()) {
    if (!array.contains(address, 1)) continue;
    before_ = std::exchange(latest_, {{array.begin, array.bytes}, array.initialised});
    return !array.initialised;
  }
  return false;
}

void InitialisationChecker::block_begins(const BlockContext& block) {
  block_ = block;
  ++epoch_;
  written_bytes_ = 0;
}

bool InitialisationChecker::is_written(std::uintptr_t address, unsigned size, std::uint32_t epoch) {
  bool written = true;
  for_each_word(address, size, [&](std::uintptr_t at, std::uint8_t bytes) {
    const Cell* const cell = shadow_.find(at);
    written &= !cell || (cell->epoch == epoch && (cell->bytes & bytes) == bytes);
  });
  return written;
}

void InitialisationChecker::mark_written(std::uintptr_t address, unsigned size, std::uint32_t epoch) {
  for_each_word(address, size, [&](std::uintptr_t at, std::uint8_t bytes) {
    Cell* const cell = shadow_.find(at);
    if (!cell) return;
    if (cell->epoch != epoch) *cell = {epoch, 0};
    cell->bytes |= bytes;
  });
}

// Arrays are mostly written from their beginning to their end, by one warp after another.
void InitialisationChecker::extend_written(const WarpAccess& access) {
  if (!is_in_a_row(access)) return;
  const std::uintptr_t begin = access.address(0), bytes = std::uintptr_t{ModelDevice::lanes} * access.size;
  if (begin - written_begin_ <= written_bytes_) {
    written_bytes_ = std::max(written_bytes_, begin - written_begin_ + bytes);
  } else if (bytes >= written_bytes_) {
    written_begin_ = begin;
    written_bytes_ = bytes;
  }
}

void InitialisationChecker::access(const WarpAccess& access) {
  if (access.overwrites == 0) return read_or_write(access);
  WarpAccess part = access;
  part.lanes = access.lanes & access.overwrites;
  part.kind = AccessKind::store;
  if (part.lanes) read_or_write(part);
  part.lanes = access.lanes & ~access.overwrites;
  part.kind = access.kind;
  if (part.lanes) read_or_write(part);
}

void InitialisationChecker::read_or_write(const WarpAccess& access) {
  const bool shared = access.space == Space::shared;
  if (shared && lies_within(access, written_begin_, written_bytes_)) return;
  if (shared && access.kind == AccessKind::store) extend_written(access);
  if (!shared) {
    const auto first = static_cast<unsigned>(std::countr_zero(access.lanes));
    if (!is_in_uninitialised_array(access.address(first))) return;
  }
  const std::uint32_t epoch = shared ? epoch_ : global_epoch;
  unsigned lanes = access.lanes;
  if (access.size == shadow_word_bytes) {
    // Most of what is read or written, in short.
    constexpr std::uint8_t whole_word = (1u << shadow_word_bytes) - 1;
    const bool stores = access.kind == AccessKind::store;
    for_each_lane(access.lanes, [&](unsigned lane) {
      if (stores && access.address(lane) % shadow_word_bytes != 0) return;
      Cell* const cell = shadow_.find(access.address(lane));
      if (cell && stores) *cell = {epoch, whole_word};
      const bool written = !cell || (cell->epoch == epoch && cell->bytes == whole_word);
      lanes &= ~(static_cast<unsigned>(written) << lane);
    });
  }
  for (unsigned rest = lanes; rest; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (access.kind == AccessKind::store) {
      mark_written(access.address(lane), access.size, epoch);
    } else if (!is_written(access.address(lane), access.size, epoch)) {
      note(access, lane);
    }
  }
}

void InitialisationChecker::note(const WarpAccess& access, unsigned lane) {
  const Read read{access.address(lane),
                  access.size,
                  access.warp * ModelDevice::lanes + lane,
                  access.place,
                  is_atomic(access.kind),
                  access.space == Space::shared,
                  1};
  if (access.space == Space::global) {
    report(read);
    return;
  }
  // One word of each place is enough to judge, unless it is written later in the interval: then another one
  // may not be.
  constexpr std::size_t most_pending = 4096;
  const auto same = std::find_if(pending_.begin(), pending_.end(), [&](const Read& known) {
    return known.place == read.place && known.address == read.address;
  });
  if (same != pending_.end()) {
    ++same->times;
  } else if (pending_.size() < most_pending) {
    pending_.push_back(read);
  }
}

void InitialisationChecker::settle() {
  for (const Read& read : pending_) {
    if (!is_written(read.address, read.size, epoch_)) report(read);
  }
  pending_.clear();
}

void InitialisationChecker::report(const Read& read) {
  const dim3 extent = block_.extent;
  const uint3 thread{read.thread % extent.x, read.thread / extent.x % extent.y,
                     read.thread / (extent.x * extent.y)};
  Hazard& hazard = hazards_.add(
      {.kind = facts::Verdict::uninitialised,
       .what = fmt::format("a thread {} {}, which no thread{} has written", read.atomic ? "changes" : "reads",
                           name_of_element(read.address, read.size), read.shared ? " of its block" : ""),
       .threads = {{thread, block_.index}},
       .sites = {read.place},
       .roles = {read.atomic ? "changes" : "reads"}});
  hazard.occurrences += read.times - 1;
}

}  // namespace simulator
