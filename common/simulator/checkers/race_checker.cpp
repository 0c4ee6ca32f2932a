// SPDX-License-Identifier: MIT
#include "simulator/checkers/race_checker.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "simulator/checkers/race_checker_atomics.hpp"
#include "simulator/checkers/race_checker_rows.hpp"
#include "simulator/memory_map.hpp"

namespace simulator {

// Between intervals only what other blocks did is still needed, and there is more of it the longer the launch
// goes on.
void RaceChecker::forget_when_full() {
  if (remembered_bytes_ <= bounds_.remembered_bytes) return;
  blocks_.clear();
  reads_.clear();
  writes_.clear();
  atomics_.clear();
  further_reads_.clear();
  byte_writes_.clear();
  byte_reads_.clear();
  values_.clear();
  states_.clear();
  plain_.clear();
  numbered_.clear();
  remembered_bytes_ = 0;
}

void RaceChecker::begin_interval() {
  forget_when_full();
  if (!reads_of_warps_.empty()) reads_of_warps_.clear();
  epoch_ = std::min(epoch_ + 1, bounds_.intervals);
  first_of_interval_ = next_number();
  if (numbered_.empty()) first_of_block_ = first_of_interval_;
}

void RaceChecker::block_begins(const BlockContext& block) {
  if (epoch_ > 0) {
    blocks_.push_back({block_epoch_, static_cast<std::uint32_t>(block_.number)});
    remembered_bytes_ += sizeof(Block);
  }
  block_ = block;
  begin_interval();
  block_epoch_ = epoch_;
  first_of_block_ = first_of_interval_;
}

void RaceChecker::block_barrier(std::uint32_t) { begin_interval(); }

// Put together as a number: field by field it would be written in parts, and reading it as a whole would have
// to wait for them.
inline RaceChecker::CommonPart RaceChecker::common_part(const WarpAccess& access, bool several) const {
  constexpr unsigned long_shift = 28, place_shift = 32, place_bits = 25,
                     several_shift = place_shift + place_bits, long_bytes = 2 * shadow_word_bytes;
  constexpr std::uint64_t places = (std::uint64_t{1} << place_bits) - 1;
  const bool is_long = access.strong && access.size == long_bytes;
  return std::bit_cast<CommonPart>(
      std::uint64_t{epoch_} | std::uint64_t{is_long} << long_shift | (access.place & places) << place_shift |
      std::uint64_t{several} << several_shift | std::uint64_t{access.strong} << (several_shift + 1) |
      std::uint64_t{access.for_block} << (several_shift + 2));
}

inline RaceChecker::Mark RaceChecker::of_lane(CommonPart common, LanePart own) {
  Mark now;
  static_cast<CommonPart&>(now) = common;
  static_cast<LanePart&>(now) = own;
  return now;
}

inline RaceChecker::Mark RaceChecker::mark_of(CommonPart common, const WarpAccess& access,
                                              unsigned lane) const {
  const unsigned thread = access.warp * ModelDevice::lanes + lane;
  Mark now = of_lane(common, {});
  now.thread = thread & (most_threads - 1);
  if (times_epoch_ == epoch_) now.time = time_[thread] & Synchronisation::last_time;
  if (access.updates | access.guesses) {
    now.strong |= access.guesses >> lane & 1;
    now.update = (access.updates | access.guesses) >> lane & 1;
  }
  return now;
}

void RaceChecker::access(const WarpAccess& access) {
  if (epoch_ == bounds_.intervals) return;
  shared_ = access.space == Space::shared;
  if (access.kind != AccessKind::load) {
    writes(access);
  } else if (shared_ || !reads_read_only_array(access)) {
    loads(access);
  }
  for_each_lane(access.lanes & access.goes_on,
                [&](unsigned lane) { go_on(access.warp * ModelDevice::lanes + lane); });
}

// Whether all lanes read an array that nobody may write: so nothing races with them. (Inputs are such arrays,
// and most of what a launch reads.)
bool RaceChecker::reads_read_only_array(const WarpAccess& access) {
  const auto first = static_cast<unsigned>(std::countr_zero(access.lanes));
  const std::uintptr_t address = access.address(first);
  if (!read_only_.contains(address, access.size)) {
    const auto arrays = DeviceArrays::instance().all();
    const auto array = std::ranges::find_if(
        arrays, [&](const NamedArray& candidate) { return candidate.contains(address, access.size); });
    if (array == arrays.end() || !array->read_only) return false;
    read_only_ = {array->begin, array->bytes};
  }
  return access.array == read_only_ || lies_within(access, read_only_.begin, read_only_.bytes);
}

void RaceChecker::writes(const WarpAccess& access) {
  if (access.kind == AccessKind::store) return lane_by_lane<Kind::store>(access, access.lanes);
  unsigned lanes = access.lanes;
  if (is_plain(access)) {
    const CommonPart common = common_part(access);
    if (!shared_) lanes = lanes_behind_plain_words(access, common);
    if (lanes)
      lanes = shared_ ? lanes_behind_plain_atomics<true>(access, lanes, common)
                      : lanes_behind_plain_atomics<false>(access, lanes, common);
  }
  if (lanes) lane_by_lane<Kind::atomic>(access, lanes);
}

template <RaceChecker::Kind kind>
inline void RaceChecker::lane_by_lane(const WarpAccess& access, unsigned lanes) {
  const CommonPart common = common_part(access);
  if (access.size == shadow_word_bytes && times_epoch_ != epoch_ && !(access.updates | access.guesses)) {
    // Nearly always: each lane has a word, and nothing about it but which lane it is.
    if (kind == Kind::load)
      lanes = shared_ ? lanes_behind_first_loads<true>(access, common)
                      : lanes_behind_first_loads<false>(access, common);
    if (kind == Kind::store && shared_ && !access.strong) lanes = lanes_behind_first_stores(access, common);
    for_each_lane(lanes, [&](unsigned lane) {
      lane_ = lane;
      LanePart own;
      own.bytes = whole_word;
      own.thread = (access.warp * ModelDevice::lanes + lane) & (most_threads - 1);
      word_access<kind>(access, access.address(lane), common, own);
    });
    return;
  }
  for_each_lane(lanes, [&](unsigned lane) {
    lane_ = lane;
    Mark now = mark_of(common, access, lane);
    lane_words<kind>(access, lane, now);
  });
}

// Whether a word that was only ever read is read again as it was last: of that read, nothing but the place is
// new, and perhaps bytes. (What read_of_cell() would do, in short.)
inline bool RaceChecker::reads_again(std::uintptr_t address, CommonPart common, LanePart own) {
  Mark* const only_read = shared_ ? nullptr : reads_.find(address);
  if (!only_read || !same_but_for_place(*only_read, of_lane(common, own))) return false;
  only_read->place = common.place;
  only_read->bytes |= own.bytes;
  return true;
}

namespace {

// Whether a lane may load from the word of the lane before it.
bool neighbours_share_words(const WarpAccess& access) {
  if (access.lanes != ~0u) return true;
  bool share = false;
  for (unsigned lane = 1; lane < ModelDevice::lanes; ++lane)
    share |= (access.address(lane) ^ access.address(lane - 1)) < shadow_word_bytes;
  return share;
}

}  // namespace

// Neighbouring lanes often load from one word: such a word is looked at once.
void RaceChecker::loads(const WarpAccess& access) {
  const bool apart =
      access.size >= shadow_word_bytes || times_epoch_ == epoch_ || access.guesses || access.goes_on;
  if (apart) return lane_by_lane<Kind::load>(access, access.lanes);
  const CommonPart common = common_part(access);
  const unsigned bytes = (1u << access.size) - 1;
  if (!neighbours_share_words(access)) {
    for (unsigned lane = 0; lane < ModelDevice::lanes; ++lane) {
      const std::uintptr_t address = access.address(lane);
      LanePart own;
      own.thread = (access.warp * ModelDevice::lanes + lane) & (most_threads - 1);
      own.bytes = bytes << address % shadow_word_bytes & whole_word;
      if (!reads_again(address, common, own)) word_access<Kind::load>(access, address, common, own);
    }
    return;
  }
  const CommonPart of_several = common_part(access, true);
  unsigned rest = access.lanes;
  while (rest) {
    const auto first = static_cast<unsigned>(std::countr_zero(rest));
    rest &= rest - 1;
    LanePart own;
    bool several = false;
    own.thread = (access.warp * ModelDevice::lanes + first) & (most_threads - 1);
    const std::uintptr_t address = access.address(first), word = address / shadow_word_bytes;
    own.bytes = bytes << address % shadow_word_bytes & whole_word;
    const auto each = access.size == 1 ? byte_each : two_bytes_each;
    for (unsigned last = first; rest;) {
      const auto next = static_cast<unsigned>(std::countr_zero(rest));
      const std::uintptr_t at = access.address(next);
      if (at / shadow_word_bytes != word) break;
      const bool in_order = next == last + 1 && at == access.address(last) + access.size;
      const bool the_same = next == last + 1 && at == address;
      const auto how = the_same ? whole : each;
      if (!(in_order || the_same) || (several && own.detail != how)) break;
      own.bytes |= bytes << at % shadow_word_bytes;
      several = true;
      own.detail = how;
      last = next;
      rest &= rest - 1;
    }
    const CommonPart of_readers = several ? of_several : common;
    if (!reads_again(address, of_readers, own)) word_access<Kind::load>(access, address, of_readers, own);
  }
}

template <RaceChecker::Kind kind>
inline void RaceChecker::lane_words(const WarpAccess& access, unsigned lane, Mark& now) {
  const std::uintptr_t address = access.address(lane), end = address + access.size;
  const CommonPart& common = now;
  const LanePart& own = now;
  if (access.size == shadow_word_bytes) {
    now.bytes = whole_word;
    word_access<kind>(access, address, common, own);
    return;
  }
  for (std::uintptr_t word = address / shadow_word_bytes * shadow_word_bytes; word < end;
       word += shadow_word_bytes) {
    const std::uintptr_t begin = std::max(word, address) - word;
    const std::uintptr_t stop = std::min(word + shadow_word_bytes, end) - word;
    now.bytes = static_cast<std::uint8_t>(((1u << stop) - 1) & ~((1u << begin) - 1));
    word_access<kind>(access, std::max(word, address), common, own);
  }
}

// The first read of a word that has a cell; null where none is needed, because the word was only ever read by
// one thread or in one instruction, and now is again.
template <RaceChecker::Kind kind>
inline RaceChecker::Mark* RaceChecker::read_of_cell(std::uintptr_t address, const Mark& now) {
  Mark* const read = reads_.find(address);
  if (!read || shared_ || read->has_cell) return read;
  if (kind == Kind::load && (read->epoch == 0 || (same_readers(*read, now) && read->strong == now.strong))) {
    const std::uint32_t bytes = read->bytes;
    if (read->epoch == 0) remembered_bytes_ += reads_.take(address);
    *read = now;
    read->bytes |= bytes;
    return nullptr;
  }
  make_cell(address, *read);
  return read;
}

RaceChecker::Cell RaceChecker::cell_of(std::uintptr_t address, const Mark& read) {
  static const Mark no_write{};
  static const Atomics no_atomics{};
  return {read, read.has_write ? writes_.find(address) : &no_write,
          read.has_atomics ? atomics_.find(address) : &no_atomics};
}

// Most accesses conflict with nothing that can be seen at a glance; the rest is looked at one by one.
template <RaceChecker::Kind kind>
inline void RaceChecker::word_access(const WarpAccess& access, std::uintptr_t address, CommonPart common,
                                     LanePart own) {
  Mark now = of_lane(common, own);
  if (!shared_) make_full(address);
  Mark* const found = read_of_cell<kind>(address, now);
  if (!found) return;
  Mark& read = *found;
  address_ = address;
  constexpr bool loads = kind == Kind::load, atomic = kind == Kind::atomic;
  std::uint32_t& state = *states_.find(address);
  // In shared memory only what happened in this interval can conflict.
  const bool may_conflict = !shared_ || state >> epoch_shift == epoch_;
  if (!shared_ && state == 0) remembered_bytes_ += states_.take(address);
  state = touched_state();
  if (may_conflict && read.has_write && may_be_changed(*writes_.find(address)))
    changed_before(access, address, cell_of(address, read), now);
  if (kind == Kind::store) {
    remember_value(access, address, now);
    if (now.strong) now.detail = strong_store;
  }
  if (may_conflict && read.has_atomics && !harms_no_atomic<kind>(*atomics_.find(address), now))
    check_atomics(access, address, cell_of(address, read), now);
  if (loads) {
    remember_read(read, address, now);
    return;
  }
  const bool was_read = read.has_more || read.has_further || !is_settled(read);
  if (may_conflict && was_read) look_at_reads(access, address, cell_of(address, read), now);
  if (atomic || now.strong) {
    const bool is_second = remember_atomic(read, address, now);
    if (atomic && is_second && becomes_quiet(read, address)) state |= quiet;
    if (atomic && is_plain_alone(read, address)) state |= plain_alone;
  } else {
    remember_write(read, address, now);
  }
}

void RaceChecker::look_at_reads(const WarpAccess& access, std::uintptr_t address, const Cell& cell,
                                const Mark& now) {
  if (const Mark* const read = conflicting_read(cell, address, now))
    report(access, address, cell, *read, now, AccessKind::load);
}

// Of a word that has been written plainly.
void RaceChecker::changed_before(const WarpAccess& access, std::uintptr_t address, const Cell& cell,
                                 Mark& now) {
  const Mark* const write = conflicting_write(cell, address, now, access.kind == AccessKind::load);
  if (!write) return;
  if (access.kind == AccessKind::store && leaves_the_same(access, address, *write, now)) {
    note("several threads write the same value to " + name_of_element(address, access.size), *write, now);
    join(now, *write);
  } else {
    report(access, address, cell, *write, now, AccessKind::store);
  }
}

// Two strong accesses harm each other only where a thread stores what it has made of an earlier load.
void RaceChecker::check_atomics(const WarpAccess& access, std::uintptr_t address, const Cell& cell,
                                const Mark& now) {
  const bool loads = access.kind == AccessKind::load, is_guess = loads && now.update;
  for (const Mark* before : {&(*cell.atomics)[1], &(*cell.atomics)[0]}) {
    const bool harmless = both_strong(*before, now) && (loads || same_size(*before, now)) &&
                          (loads ? !is_lockstep_update(*before, now) : !(before->update || now.update));
    if ((harmless && !is_guess) || !conflicts(*before, now)) continue;
    if (harmless) {
      note(fmt::format("a thread reads {} plainly while another changes it atomically; the compare-and-swap "
                       "that follows finds out",
                       name_of_element(address, access.size)),
           *before, now);
    } else {
      report(access, address, cell, *before, now,
             before->detail == strong_store ? AccessKind::store : AccessKind::atomic);
    }
    return;
  }
}

RaceChecker::Mark RaceChecker::mark_of_number(std::uint32_t number) const {
  if (number == 0) return {};
  LanePart own;
  own.bytes = whole_word;
  own.thread = number & (most_threads - 1);
  return of_lane(std::bit_cast<CommonPart>(numbered_[(number >> thread_bits) - 1]), own);
}

// Of a word on which something else happens now.
void RaceChecker::make_full(std::uintptr_t address, PlainWord& word) {
  const PlainWord::Accesses accesses = std::exchange(word, {}).all();
  Mark& read = *reads_.find(address);
  remembered_bytes_ += reads_.take(address);
  read = mark_of_number(accesses.read);
  if (accesses.latest == 0) return;
  Atomics& atomics = *atomics_.find(address);
  std::uint32_t& state = *states_.find(address);
  remembered_bytes_ += atomics_.take(address) + states_.take(address);
  atomics = {mark_of_number(accesses.latest), mark_of_number(accesses.second)};
  const auto& [latest, second] = atomics;
  state = (accesses.read ? read.epoch : latest.epoch) << epoch_shift;
  if (!accesses.read) {
    const bool are_of_two_warps = latest.epoch == second.epoch &&
                                  latest.thread / ModelDevice::lanes != second.thread / ModelDevice::lanes;
    state |= plain_alone | (are_of_two_warps ? quiet : 0);
  }
  read.has_cell = read.has_atomics = 1;
}

// Of a word that so far had none.
void RaceChecker::make_cell(std::uintptr_t address, Mark& read) {
  remembered_bytes_ += reads_.take(address);
  if (read.epoch != 0 && !in_this_block(read)) {
    const Mark before = std::exchange(read, {});
    make_further_reads(read, address).other = before;
  }
  read.has_cell = 1;
}

inline void RaceChecker::remember_read(Mark& first, std::uintptr_t address, const Mark& now) {
  if (first.epoch == now.epoch) return remember_further_read(first, address, now);
  // In shared memory nobody asks any more.
  if (first.epoch != 0 && !in_this_block(first) && !shared_) make_further_reads(first, address).other = first;
  replace_read(first, now);
}

}  // namespace simulator
