// SPDX-License-Identifier: MIT
// The list of rows that a warp's recorder keeps: how they come into it, how they are passed on, and what is
// kept of them.
#include <algorithm>
#include <utility>

#include "simulator/cuda/intrinsics.hpp"
#include "simulator/machine.hpp"
#include "simulator/recorder.hpp"

namespace simulator {

namespace {

// The values with those that a row's stores have left, which have been read back.
Values& with_stored(Values& values, const Row& row) {
  if (row.access.kind != AccessKind::store) return values;
  for_each_lane(row.access.lanes, [&](unsigned lane) {
    const StoredValue& stored = row.operands->stored[lane];
    values.written[lane] = 0;
    const std::size_t bytes = std::min(std::size_t{row_key::bytes(row.key)}, sizeof values.written[lane]);
    if (stored.known) std::memcpy(&values.written[lane], stored.bytes.data(), bytes);
  });
  return values;
}

}  // namespace

// Those that have come further than this row. (Mostly it is the last one.)
inline unsigned Recorder::lanes_behind(const Row* row) const {
  unsigned lanes = 0;
  for (row = row->next; row->key != row_key::none; row = row->next) lanes |= row->ending;
  return lanes;
}

// Written field by field: a row that is made elsewhere and copied would be read while it is still on its way
// into the cache.
[[gnu::always_inline]] inline Row* Recorder::insert(std::uint64_t key, Row* behind) {
  Row* const row = rows_.take();
  row->key = key;
  row->next = behind->next;
  row->previous = behind;
  row->returns_to = (key >> row_key::depth_shift << row_key::depth_shift) +
                    (recording.load_address + row_key::place(key) + 1);
  row->follower = &no_row;
  row->skipped = lanes_behind(behind);
  row->ending = row->looks = row->in_constant = 0;
  row->in_shared = row->in_other = false;
  row->within = {};
  WarpAccess& access = row->access;
  row->operands = nullptr;
  if (row_key::is_access(key)) {
    access.array = {};
    access.kind = row->kind_if_used = row_key::kind(key);
    access.space = Space::global;
    access.size = row_key::bytes(key);
    access.place = row_key::place(key);
    access.strong = access.for_block = false;
    access.updates = access.guesses = access.goes_on = access.moves = access.unchanged = access.overwrites =
        0;
    access.operands = row->operands = operands_.take();
    access.values = nullptr;
    load_rows_ += access.kind == AccessKind::load;
  }
  behind->next->previous = row;
  behind->next = row;
  return row;
}

Row* Recorder::find_or_insert(std::uint64_t key) {
  Row *last = recording.at(), *behind = last;
  while (behind->next->key < key) {
    if (row_key::is_step(behind->next->key)) {
      Machine::instance().wait_behind_step();
      behind = last = recording.at();
    } else {
      behind = behind->next;
      behind->skipped |= recording.bit;
    }
  }
  if (behind->next->key == key) return behind->next;
  Machine::instance().settle_alike_turns();
  if (head_.next == &head_ && course_from(key).first) {
    if (Row* const row = take_up_course(key)) return row;
  }
  Row* const row = insert(key, behind);
  // (To the head of the list lanes come on any way.)
  behind->follower = behind == last && behind != &head_ ? row : &no_row;
  return row;
}

[[gnu::always_inline]] inline Row& Recorder::unlink_first() {
  Row& first = *head_.next;
  pending_ &= ~first.ending;
  head_.next = first.next;
  first.next->previous = &head_;
  load_rows_ -= first.operands && row_key::kind(first.key) == AccessKind::load;
  return first;
}

void Recorder::remove_first() { give_back(unlink_first()); }

void Recorder::give_back(Row& row) {
  if (row.operands) operands_.give_back(row.operands);
  rows_.give_back(&row);
}

inline bool Recorder::is_kept(const Row& row) const {
  const bool is_block = (row.key & row_key::kind_bits) == row_key::basic_block;
  return course_.rows < most_rows && (row.operands || is_block) && !recording.values;
}

// As one that nobody has joined. What its instruction is stays, and in which array the last lane was.
[[gnu::always_inline]] inline void Recorder::keep(Row& row) {
  row.skipped = row.ending = row.looks = row.in_constant = 0;
  if (row.operands) {
    if (row.in_shared && row.in_other) {
      row.in_shared = row.in_other = false;
      row.within = row.access.array = {};
    }
    WarpAccess& access = row.access;
    access.kind = row_key::kind(row.key);
    access.space = Space::global;
    access.updates = access.guesses = access.goes_on = access.moves = access.unchanged = access.overwrites =
        0;
    course_.loads += access.kind == AccessKind::load;
  }
  row.previous = course_.last;
  if (course_.last) {
    course_.last->next = &row;
    if (course_.last->follower != &row) course_.last->follower = &no_row;
  } else {
    course_.first = &row;
  }
  course_.last = &row;
  ++course_.rows;
}

// Nothing is left in the list but rows that nobody has joined.
void Recorder::end_course() {
  drop_unjoined();
  if (!course_.first) return;
  course_.last->next = nullptr;
  course_.last->follower = &no_row;
  Course& kept = course_from(course_.first->key);
  for (Row* row = kept.first; row;) give_back(*std::exchange(row, row->next));
  kept = std::exchange(course_, {});
}

// The list is empty, and a lane's event has this key. Null: no course begins with it.
Row* Recorder::take_up_course(std::uint64_t key) {
  Course& course = course_from(key);
  if (course.first->key != key) return nullptr;
  head_.next = course.first;
  head_.previous = course.last;
  course.first->previous = course.last->next = &head_;
  load_rows_ += course.loads;
  return std::exchange(course, {}).first;
}

void Recorder::merge(unsigned producers, std::span<const unsigned> groups, Observers& observers) {
  const auto has_come = [this](unsigned group) { return (group & pending_) == 0; };
  while (pending_ && !(producers & ~pending_) && !question_is_first() &&
         std::ranges::none_of(groups, has_come)) {
    Row& row = *head_.next;
    pass_on(row, observers);
    unlink_first();
    is_kept(row) ? keep(row) : give_back(row);
  }
  if (!pending_) end_course();
}

unsigned Recorder::take_question() {
  const unsigned lanes = lanes_of_first();
  remove_first();
  return lanes;
}

[[gnu::always_inline]] inline void Recorder::pass_on(Row& row, Observers& observers) {
  const unsigned lanes = lanes_of_first();
  if ((row.key & row_key::kind_bits) == row_key::basic_block)
    return observers.basic_block(warp_, lanes, row_key::place(row.key), row_key::depth(row.key));
  if (!row_key::is_access(row.key)) {
    for_each_lane(lanes, [&](unsigned lane) { observers.fence(warp_ * ModelDevice::lanes + lane); });
    return;
  }
  WarpAccess& access = row.access;
  access.lanes = lanes;
  access.warp = warp_;
  if (recording.values) access.values = &with_stored(values_of(row), row);
  stored_ |= access.kind == AccessKind::store;
  if (row.in_constant || (row.in_shared && row.in_other)) return pass_on_apart(row, observers);
  if (row.in_shared) access.space = Space::shared;
  observers.access(access);
}

// The lanes of one instruction may point into different spaces; each space has its own requests.
void Recorder::pass_on_apart(Row& row, Observers& observers) {
  WarpAccess& access = row.access;
  unsigned in_shared = 0;
  for_each_lane(access.lanes, [&](unsigned lane) {
    if (is_shared(reinterpret_cast<const void*>(access.address(lane)))) in_shared |= 1u << lane;
  });
  const unsigned lanes = access.lanes;
  access.lanes = lanes & ~(in_shared | row.in_constant);
  if (access.lanes) observers.access(access);
  access.space = Space::shared;
  access.lanes = in_shared;
  if (access.lanes) observers.access(access);
  access.space = Space::constant;
  access.lanes = lanes & row.in_constant;
  if (access.lanes) observers.constant_load(access);
}

}  // namespace simulator
