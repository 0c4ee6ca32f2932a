// SPDX-License-Identifier: MIT
#include "simulator/checkers/race_checker.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <utility>

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
  remembered_bytes_ = 0;
}

void RaceChecker::begin_interval() {
  forget_when_full();
  if (!reads_of_warps_.empty()) reads_of_warps_.clear();
  epoch_ = std::min(epoch_ + 1, bounds_.intervals);
}

void RaceChecker::block_begins(const BlockContext& block) {
  if (epoch_ > 0) {
    blocks_.push_back({block_epoch_, static_cast<std::uint32_t>(block_.number)});
    remembered_bytes_ += sizeof(Block);
  }
  block_ = block;
  begin_interval();
  block_epoch_ = epoch_;
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
  return lies_within(access, read_only_.begin, read_only_.bytes);
}

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

// Whether there is nothing to look at, since so far there were only plain atomics on the word: nearly always.
inline bool RaceChecker::adds_plain_atomic(std::uintptr_t address, CommonPart common, LanePart own) {
  std::uint32_t* const state = states_.find(address);
  // Whatever comes later and races with this one races with one of those that are known.
  if (!state || is_quiet(*state)) return true;
  if (*state & plain_alone) {
    Atomics& atomics = *atomics_.find(address);
    const bool is_second = replace_atomic(atomics, of_lane(common, own));
    const bool of_two_warps =
        is_second && atomics[0].thread / ModelDevice::lanes != atomics[1].thread / ModelDevice::lanes;
    *state = touched_state() | plain_alone | (of_two_warps ? quiet : 0);
    return true;
  }
  if (*state != 0 || shared_) return false;
  Mark& read = *reads_.find(address);
  if (read.epoch != 0 || read.has_cell) return false;
  remembered_bytes_ += reads_.take(address) + states_.take(address) + atomics_.take(address);
  read.has_cell = read.has_atomics = 1;
  (*atomics_.find(address))[0] = of_lane(common, own);
  *state = touched_state() | plain_alone;
  return true;
}

void RaceChecker::writes(const WarpAccess& access) {
  if (access.kind == AccessKind::store) return lane_by_lane<Kind::store>(access, access.lanes);
  unsigned lanes = access.lanes;
  if (is_plain(access)) {
    const CommonPart common = common_part(access);
    for_each_lane(access.lanes, [&](unsigned lane) {
      LanePart own;
      own.bytes = whole_word;
      own.thread = (access.warp * ModelDevice::lanes + lane) & (most_threads - 1);
      const bool is_done = adds_plain_atomic(access.address(lane), common, own);
      lanes &= ~(static_cast<unsigned>(is_done) << lane);
    });
  }
  if (lanes) lane_by_lane<Kind::atomic>(access, lanes);
}

template <RaceChecker::Kind kind>
inline void RaceChecker::lane_by_lane(const WarpAccess& access, unsigned lanes) {
  const CommonPart common = common_part(access);
  if (access.size == shadow_word_bytes && times_epoch_ != epoch_ && !(access.updates | access.guesses)) {
    // Nearly always: each lane has a word, and nothing about it but which lane it is.
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
      const bool the_same = at == address;
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
                       "that follows "
                       "finds out",
                       name_of_element(address, access.size)),
           *before, now);
    } else {
      report(access, address, cell, *before, now,
             before->detail == strong_store ? AccessKind::store : AccessKind::atomic);
    }
    return;
  }
}

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

// A load finds what its block's last write has left, whoever else has written the same.
bool RaceChecker::write_conflicts(Mark write, const Mark& now, bool loads) const {
  if (loads) write.of_warps = write.of_blocks = 0;
  return conflicts(write, now);
}

RaceChecker::FurtherReads RaceChecker::further_reads(const Mark& read, std::uintptr_t address) {
  return read.has_further ? *further_reads_.find(address) : FurtherReads{};
}

RaceChecker::FurtherReads& RaceChecker::make_further_reads(Mark& read, std::uintptr_t address) {
  if (!read.has_further && !shared_) remembered_bytes_ += further_reads_.take(address);
  read.has_further = 1;
  return *further_reads_.find(address);
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

// Of a word that so far had none.
void RaceChecker::make_cell(std::uintptr_t address, Mark& read) {
  remembered_bytes_ += reads_.take(address);
  if (read.epoch != 0 && !in_this_block(read)) {
    const Mark before = std::exchange(read, {});
    make_further_reads(read, address).other = before;
  }
  read.has_cell = 1;
}

// What the first read tells of the word stays.
inline void RaceChecker::replace_read(Mark& read, const Mark& now) {
  const Mark before = read;
  read = now;
  read.has_cell = before.has_cell;
  read.has_write = before.has_write;
  read.has_atomics = before.has_atomics;
  read.has_further = before.has_further;
}

inline void RaceChecker::remember_read(Mark& first, std::uintptr_t address, const Mark& now) {
  if (first.epoch == now.epoch) return remember_further_read(first, address, now);
  // In shared memory nobody asks any more.
  if (first.epoch != 0 && !in_this_block(first) && !shared_) make_further_reads(first, address).other = first;
  replace_read(first, now);
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
