// SPDX-License-Identifier: MIT
// The list of rows that a warp's recorder keeps: how they come into it, and what is kept of them.
#include <utility>

#include "simulator/machine.hpp"
#include "simulator/recorder.hpp"

namespace simulator {

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

void Recorder::remove_first(bool is_kept) {
  Row& first = *head_.next;
  pending_ &= ~first.ending;
  head_.next = first.next;
  first.next->previous = &head_;
  load_rows_ -= first.operands && row_key::kind(first.key) == AccessKind::load;
  const std::uint64_t what = first.key & row_key::kind_bits;
  if (is_kept && course_.rows < most_rows && (first.operands || what == row_key::basic_block) &&
      !recording.values) {
    keep(first);
  } else {
    give_back(first);
  }
}

void Recorder::give_back(Row& row) {
  if (row.operands) operands_.give_back(row.operands);
  rows_.give_back(&row);
}

// As one that nobody has joined. What its instruction is stays, and in which array the last lane was.
void Recorder::keep(Row& row) {
  row.skipped = row.ending = row.looks = row.in_constant = 0;
  if (row.in_shared && row.in_other) {
    row.in_shared = row.in_other = false;
    row.within = row.access.array = {};
  }
  if (row.operands) {
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

}  // namespace simulator
