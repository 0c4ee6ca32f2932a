// SPDX-License-Identifier: MIT
// Collects what the lanes of a warp do, and merges it into the instructions that the warp would have issued.
//
// The warp has one list of rows, a row for each instruction. Lanes run one after another, each ahead on its
// own, and each walks along the list as it goes: where the row ahead is the same instruction, the lane joins
// it; rows that come earlier in the program it passes by; else it puts a row of its own before the one ahead.
// "Earlier" is a deeper call, and at the same depth a lower address of code: so lanes that left a branch wait
// for those that are still inside, as they would at the point where the branch's paths meet. (Taking "the
// k-th execution of the same instruction" instead is wrong for loops whose lanes go round different numbers
// of times.) Rows are passed on from the front of the list up to the last event of any lane that can still
// run: that one has to run first.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/guards.hpp"
#include "simulator/observer.hpp"
#include "simulator/synchronisation.hpp"

namespace simulator {

// An instruction of the warp that has not been passed on, as the hooks write it. All that a lane needs to
// join a row lies in one line of the processor's cache.
struct alignas(64) Row {
  std::uint64_t key;  // rows are merged in ascending order: see row_key
  Row* next;
  // The same for hooks that stand in the unit's own code (assembly/inlined_hooks.hpp): where the call of the
  // hook would return to, with the key's call depth. 0: no such hook joins the row.
  std::uint64_t returns_to = 0;
  // The row right behind it, if who has made that one came from here at once; else one that nobody joins. An
  // event that stands behind another one on every way through the program, with nothing in between, finds the
  // rows of both by it.
  Row* follower;
  // Of the array that a lane touched here last, if it is remembered: addresses at which an access of this
  // size lies within it.
  Range within;
  Operands* operands;  // of an access
  Row* previous;

  unsigned ending;  // the lanes that have come no further
  // Of the lanes that have come as far as here, or further, those that have passed it by: all others have
  // joined it. So who joins it has nothing to mark.
  unsigned skipped;
  // Sets of lanes: those whose access was a look (machine.hpp), or lies in constant memory.
  unsigned looks, in_constant;
  // Whether lanes' accesses lie in shared memory, and in any other.
  bool in_shared, in_other;
  AccessKind kind_if_used;  // what an atomic is if its result is used
  WarpAccess access;        // what is not an access has none; its lanes are told when it is passed on
};

// How a row's key is made up: 255 - call depth, the place in the program, what it is.
namespace row_key {
constexpr unsigned deepest = 255;
constexpr unsigned depth_shift = 48, place_shift = 7, size_shift = 4;
constexpr std::uint64_t one_call = std::uint64_t{1} << depth_shift;  // by so much a call's keys are less
constexpr std::uint64_t place_bits = 0xffffffffu, kind_bits = 15, size_bits = 7;
constexpr std::uint64_t none = UINT64_MAX;  // behind all others
// What is no access stands where an access has its kind. A question is which lanes are active here; `step`:
// one that lanes which come by have to wait for.
constexpr std::uint64_t step = 12, question = 13, basic_block = 14, fence = 15;

constexpr bool is_access(std::uint64_t key) { return (key & kind_bits) < step; }
constexpr bool is_step(std::uint64_t key) { return (key & kind_bits) == step; }
constexpr bool is_question(std::uint64_t key) { return is_step(key) || (key & kind_bits) == question; }
constexpr std::uint32_t place(std::uint64_t key) {
  return static_cast<std::uint32_t>(key >> place_shift & place_bits);
}
constexpr unsigned depth(std::uint64_t key) { return deepest - static_cast<unsigned>(key >> depth_shift); }
// Of an access; the bytes are a lane's.
constexpr AccessKind kind(std::uint64_t key) { return static_cast<AccessKind>(key & kind_bits); }
constexpr unsigned bytes(std::uint64_t key) { return 1u << (key >> size_shift & size_bits); }
}  // namespace row_key

// Ahead of a lane while nothing is recorded: no event joins it.
inline constinit Row no_row{.key = row_key::none, .follower = &no_row};

// So many events a lane is ahead at most.
constexpr int most_ahead = 128;

// A load stays in the list for the compare-and-swap that may follow it, or for the stores of an exchange; of
// loads one right after the other the last.
constexpr int kept_behind_load = 8, kept_behind_loads = 4;

// How many basic blocks a thread runs before the others get a turn; far more than a useful loop needs between
// two barriers, few enough that a spinning thread costs a millisecond.
constexpr std::int32_t turn = 1 << 20;

// How much the running lane may still do, in one number, so that a hook of the unit's own code takes its part
// at once: below, the basic blocks that are left of the thread's turn ("fuel"); above, the events until its
// warp's rows are merged, less those kept back behind a load. Such a hook leaves the last of either to one
// that is called: a load where this is negative by then, others where nothing at all is left, and all where
// the fuel might not last.
struct Budget {
  static constexpr int event_shift = 22;
  static constexpr std::int32_t event = 1 << event_shift, block = event + 1, fuel_bits = event - 1;
  static_assert(turn <= fuel_bits && (most_ahead - kept_behind_load) < INT32_MAX >> event_shift);

  static constexpr std::int32_t none_left = -kept_behind_load * event;

  std::int32_t number = turn;

  int left() const { return (number >> event_shift) + kept_behind_load; }
  std::int32_t fuel() const { return number & fuel_bits; }
  void begin(std::int64_t fuel, int events = most_ahead - kept_behind_load) {
    number = events * event + static_cast<std::int32_t>(fuel);
  }
  void set_fuel(std::int64_t fuel) { number = (number & ~fuel_bits) | static_cast<std::int32_t>(fuel); }
};

struct Thread;

// The state that the instrumentation's hooks use for every access: kept small and in one place.
struct alignas(64) Recording {
  // The row behind the running lane's last event, or behind the head of the list, so that a hook has one step
  // less to go to it.
  Row* ahead = &no_row;
  std::uint64_t base = 0;  // what a key has besides the address of code and its kind
  // What Row::returns_to has besides the address; `none_returns`: so that no row has it.
  std::uint64_t returns_base = 0;
  unsigned lane = 0, bit = 0;
  Budget budget;
  Thread* thread = nullptr;    // that runs; null: none does
  Row* last_atomic = nullptr;  // if it is still in the list
  // Stores whose values have not been read back yet; the first `done` of them have happened by the next
  // event.
  unsigned unread = 0, done = 0;
  std::uint32_t synchronizing = 0;  // 1: a thread of this launch has fenced
  std::array<Row*, most_ahead> unread_stores{};
  // The words that compare-and-swaps have changed last: a plain store there opens a lock, which is a race,
  // but one of its own.
  std::array<std::uintptr_t, 8> lock_words{};
  unsigned locks = 0;
  bool values = false;             // what accesses find and leave is recorded too
  Row* last_valued = nullptr;      // the atomic whose result has not been read back yet
  unsigned depth = 0;              // of calls, of the running lane
  std::uint64_t shallow_base = 0;  // `base`, of a lane that is in no call
  std::uintptr_t load_address = 0;
  std::array<Range, 2> global;  // the arrays that were touched last
  Range shared;
  Range read_only;  // one of global memory, of which loads alone may lie in it
  void forget_arrays() { global = {}, shared = read_only = {}; }
  // The running lane's last event, or the head of the list; null: nothing is recorded.
  Row* at() const { return ahead->previous; }

  static constexpr std::uint64_t none_returns = std::uint64_t{1} << 62;
  // Of the running thread's turn. Where it may end before the lane's rows are merged, each hook is called.
  void set_fuel(std::int64_t fuel) {
    budget.set_fuel(fuel);
    if (fuel <= most_ahead) returns_base |= none_returns;
  }
  // `step_by_step`: of no more events than those that may be kept behind a load.
  void begin_turn(std::int64_t fuel, bool step_by_step) {
    step_by_step ? budget.begin(fuel, 0) : budget.begin(fuel);
    if (fuel <= most_ahead) [[unlikely]]
      returns_base |= none_returns;
  }
  void end_short_turn() { returns_base &= ~none_returns; }
};
extern Recording recording asm("simulator_recording");

// By what the machine tells that a block waits in vain: basic blocks in all turns before the present one, by
// now and when something changed last; and whether nothing has changed since all warps had their turn.
struct Progress {
  std::int64_t clock = 0, changed_at = 0;
  bool round_is_idle = false;
};
extern Progress progress asm("simulator_progress");

// At most 8 bytes of memory as a number.
inline std::uint64_t value_at(std::uintptr_t address, unsigned bytes) {
  std::uint64_t value = 0;
  if (bytes <= sizeof value) std::memcpy(&value, reinterpret_cast<const void*>(address), bytes);
  return value;
}

// The running lane is that many calls deep.
inline void set_depth(unsigned depth) {
  recording.depth = depth;
  const std::uint64_t calls = std::uint64_t{std::min(depth, row_key::deepest)} << row_key::depth_shift;
  recording.base = recording.shallow_base - calls;
  recording.returns_base = (recording.returns_base & Recording::none_returns) |
                           ((std::uint64_t{row_key::deepest} << row_key::depth_shift) - calls);
}

// The same, of a thread that begins, with all of its turn.
[[gnu::always_inline]] inline void set_no_depth() {
  recording.depth = 0;
  recording.base = recording.shallow_base;
  recording.returns_base = std::uint64_t{row_key::deepest} << row_key::depth_shift;
}

// The same, in short where neither lane is very deep.
[[gnu::always_inline]] inline void change_depth(unsigned depth) {
  if ((depth | recording.depth) > row_key::deepest) [[unlikely]]
    return set_depth(depth);
  const std::uint64_t less = (std::uint64_t{recording.depth} - depth) << row_key::depth_shift;
  recording.depth = depth;
  recording.base += less;
  recording.returns_base += less;
}

namespace row_key {
// Of the running lane's next event. (The site is one before where a call returns to: written like this, the
// compiler does not subtract it for itself.)
inline std::uint64_t of(std::uintptr_t site, std::uint64_t what) {
  constexpr std::uint64_t one = std::uint64_t{1} << place_shift;
  return recording.base + (site + 1) * one + (what - one);
}
inline std::uint64_t of_access(std::uintptr_t site, unsigned log2_size, AccessKind kind) {
  return of(site, std::uint64_t{log2_size} << size_shift | static_cast<std::uint64_t>(kind));
}
}  // namespace row_key

// Marks of an access.
enum AccessMarks : unsigned { plain = 0, strong_access = 1, block_scope = 2 };

// Whether a compare-and-swap of the running thread on this word will be recorded. Ends the thread with a
// report if it must not touch the word.
bool is_recorded_swap(std::uintptr_t address, std::size_t size, std::uintptr_t site);

void record_lock(std::uintptr_t address);  // a compare-and-swap has changed the word

// Whether it is recorded now, as the last event: it is if it lies in an array. `alone`: the instruction does
// nothing else. `marks`: of AccessMarks.
bool record_any_access(std::uintptr_t address, unsigned log2_size, AccessKind kind, std::uintptr_t site,
                       bool alone = true, unsigned marks = plain);
void record_basic_block(std::uintptr_t site);
void record_question(std::uintptr_t site);
void record_step(std::uintptr_t site);

// Ends the thread where what our functions are about to change lies on their own part of the stack.
[[gnu::cold]] void refuse_any_frame(std::uintptr_t address, std::uintptr_t site);
[[gnu::always_inline]] inline void refuse_frame(std::uintptr_t address, std::uintptr_t site) {
  constexpr std::uintptr_t behind_frame = 16;  // the caller's frame, and where it goes on
  const auto end = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + behind_frame;
  if (address - simulator_own_stack.begin < end - simulator_own_stack.begin) refuse_any_frame(address, site);
}

// Of a stretch of memory, which the compiler's instrumentation has left out.
void record_unseen(std::uintptr_t address, std::size_t bytes, bool writes, std::uintptr_t site);

// Records an access where a lane goes the way of one before it and touches the same array: that is nearly
// always so. Calls nothing, so that no register has to be saved. Whether it has been recorded.
[[gnu::always_inline]] inline bool join_access(std::uintptr_t address, unsigned log2_size, AccessKind kind,
                                               std::uintptr_t site) {
  const std::uintptr_t size = std::uintptr_t{1} << log2_size;
  Row* const row = recording.ahead;
  const bool usual = row->key == row_key::of_access(site, log2_size, kind) &&
                     address - row->within.begin < row->within.bytes && (address & (size - 1)) == 0 &&
                     recording.budget.left() >= (kind == AccessKind::load ? kept_behind_load : 1) &&
                     (kind == AccessKind::load || !(recording.done || recording.synchronizing));
  if (!usual) return false;
  recording.budget.number -= Budget::event;
  recording.ahead = row->next;
  row->operands->address[recording.lane] = address;
  if (is_atomic(kind)) recording.last_atomic = row;
  if (kind != AccessKind::store) return true;
  row->operands->stored[recording.lane].known = false;
  recording.unread_stores[recording.unread++] = row;
  recording.done = recording.unread;
  return true;
}

// The same for any access. Calls nothing but the function for all of them, and that last.
[[gnu::always_inline]] inline bool record_access(std::uintptr_t address, unsigned log2_size, AccessKind kind,
                                                 std::uintptr_t site) {
  if (join_access(address, log2_size, kind, site)) return true;
  // the lane's local memory
  const std::uintptr_t size = std::uintptr_t{1} << log2_size;
  if ((address & (size - 1)) == 0 && simulator_own_stack.contains(address, size)) return false;
  return record_any_access(address, log2_size, kind, site);
}

// Whether it is recorded now, because a lane has come to this place before, if by another way; then it is
// taken from the thread's turn, too.
[[gnu::always_inline]] inline bool join_basic_block(std::uintptr_t site) {
  const std::uint64_t key = row_key::of(site, row_key::basic_block);
  if (recording.budget.left() == 0) return false;
  Row* row = recording.ahead;
  for (; row->key < key && !row_key::is_step(row->key); row = row->next) row->skipped |= recording.bit;
  if (row->key != key) return false;
  recording.budget.number -= Budget::block;
  recording.ahead = row->next;
  return true;
}

// Orders what the running lane does. (CUDA's fences, and those of the compiler's builtins)
void record_fence(const Fencing& fencing, std::uintptr_t site);

// The running lane's last event is an exchange, whose operand may follow from what a load of it has found.
void record_exchange(std::uintptr_t address);

// The running lane's last event is an atomic that left the word as it was.
void record_unchanged();
// The running lane's last event is an atomic that leaves the same whatever the word held: it only writes,
// unless its result is used.
void record_overwrite();
bool has_changed_a_word();  // unless it was such an atomic
void record_goal(const Goal& goal);

// The running lane makes a compare-and-swap next, which finds out whether what a plain load of the word just
// before has found still holds.
void record_guess(std::uintptr_t address);

// The running lane's last event is an exchange of equal values: so a lock that is held is waited for.
void record_equal_exchange();

// The running lane enters or leaves a function.
void record_entry(std::uintptr_t site);
void record_exit();

// The result of the running lane's last atomic is used.
void record_result_used();
std::uintptr_t word_of_last_atomic();  // its; 0 if it is not recorded or changed nothing

struct LaneEvent {
  std::uint64_t key;
  std::uintptr_t address;  // of an access; else 0
};

class Recorder {
 public:
  Recorder();

  // What the lanes of a row found and left, if that is recorded.
  Values& values_of(const Row& row) { return values_[row.operands]; }

  // The lanes of a warp take turns in the same list: a warp is left only when its list is empty.
  void begin_warp(unsigned warp) { warp_ = warp; }

  // Lets a lane run none of whose events are in the list, and the hooks record what it does, if that is
  // wanted. (change_depth() tells how many calls deep it is, Recording::begin_turn() gives it its budget.)
  [[gnu::always_inline]] void begin_turn(unsigned lane, unsigned bit) {
    recording.ahead = head_.next;
    recording.lane = lane;
    recording.bit = bit;
    recording.last_atomic = nullptr;
  }
  // The running lane stops. Another one's turn begins next, or nobody's: stop(). (Where values are recorded,
  // its last atomic has to be read back, too.)
  [[gnu::always_inline]] void end_turn() {
    if (recording.unread > 0) [[unlikely]]
      read_back_all_stores();
    Row* const last = recording.at();
    if (!last) return;
    last->ending |= recording.bit;
    pending_ |= recording.bit;
  }
  // The same of lanes that have ended their turns behind the event `last`, all of whose stores are read back.
  void end_turns(Row& last, unsigned lanes) {
    last.ending |= lanes;
    pending_ |= lanes;
  }
  // Nobody runs any more, and nothing is recorded. (Lanes without an event have ended at the head of the
  // list.)
  void stop() {
    pending_ &= ~std::exchange(head_.ending, 0);
    recording.ahead = &no_row;
    recording.last_atomic = nullptr;
  }
  // What the running lane's stores, or its last atomic, have left by now.
  void read_back_stores();
  void read_back_atomic();
  void read_back_all_stores();  // at the end of a turn
  // The events of a lane that have not been passed on.
  std::span<const LaneEvent> log_of(unsigned lane);  // valid until the next call
  // Whether the running lane's last event is an access that it has made before, and since when it has only
  // looked at memory.
  bool has_only_looked() const;
  // The place of its last access, if that has not been passed on.
  std::optional<std::uintptr_t> last_access_of_running_lane() const;

  unsigned pending() const { return pending_; }  // the lanes that have events in the list

  // The row of the key, put in its place behind the running lane's last event.
  Row* find_or_insert(std::uint64_t key);

  // Passes rows on until nothing is left, or one of `producers` has to run first, or nothing is left of one
  // of the groups of lanes, or a question comes first.
  void merge(unsigned producers, std::span<const unsigned> groups, Observers& observers);

  // A question that no row stands before: its lanes have come to this place together. (No lane runs.)
  bool question_is_first() {
    drop_unjoined();
    return row_key::is_question(head_.next->key);
  }
  unsigned take_question();

  // Whether a store was passed on since the last time.
  bool take_stored() { return std::exchange(stored_, false); }

  // `is_recorded`: whether anything will be.
  void clear(bool is_recorded = true);

 private:
  // The rows of all that a warp has done from when its list was empty until it was again. The next warp
  // mostly does the same: so its rows are there when its first lane comes, and it joins them as others do.
  //
  // A row that no lane has joined changes nothing for the order of the others. Where a lane puts its row in
  // front of one, the next row behind it that lanes have joined was put there by a lane that has passed it
  // by: that row comes later in the program, and the new one would stand in front of it anyway.
  struct Course {
    Row *first = nullptr, *last = nullptr;
    unsigned rows = 0, loads = 0;
  };
  static constexpr std::size_t courses = 16, most_rows = 256;

  // As many as all lanes of a warp can need at a time, and what is kept. Those given back last are taken
  // first, so that mostly the same few are in use.
  template <class T>
  class Pool {
   public:
    Pool() { clear(); }
    T* take() { return free_[--left_]; }
    void give_back(T* one) { free_[left_++] = one; }
    void clear() {
      for (left_ = 0; left_ < size; ++left_) free_[left_] = &all_[size - 1 - left_];
    }

   private:
    static constexpr std::size_t size = std::size_t{most_ahead} * ModelDevice::lanes + courses * most_rows;
    std::unique_ptr<T[]> all_ = std::make_unique_for_overwrite<T[]>(size);
    std::unique_ptr<T*[]> free_ = std::make_unique_for_overwrite<T*[]>(size);
    std::size_t left_ = 0;
  };

  Row* insert(std::uint64_t key, Row* behind);
  unsigned lanes_behind(const Row* row) const;
  unsigned lanes_of_first() const { return pending_ & ~head_.next->skipped; }
  Row& unlink_first();
  void remove_first();
  bool is_kept(const Row& row) const;
  void give_back(Row& row);
  void drop_unjoined() {
    while (head_.next->key != row_key::none && lanes_of_first() == 0) remove_first();
  }
  void keep(Row& row);
  void end_course();
  Course& course_from(std::uint64_t key) { return courses_[(key >> row_key::place_shift) % courses]; }
  Row* take_up_course(std::uint64_t key);
  void note_move(Row& row);
  void pass_on(Row& row, Observers& observers);
  void pass_on_apart(Row& row, Observers& observers);

  Pool<Row> rows_;
  Pool<Operands> operands_;
  std::unordered_map<const Operands*, Values> values_;
  Row head_{};  // before the first row, and behind the last one
  unsigned pending_ = 0;
  unsigned load_rows_ = 0;               // in the list
  Course course_;                        // so far
  std::array<Course, courses> courses_;  // by the keys that they begin with
  unsigned warp_ = 0;
  bool stored_ = false;
  std::vector<LaneEvent> log_;  // what log_of() has found
  // A lane's last store of what it has read from another word, and where the first store before it, each of
  // which has moved the next one's word, has stored.
  struct Move {
    Row* row = nullptr;
    unsigned lane = 0;
    std::uintptr_t from = 0, first = 0;
  };
  Move last_move_;
};

}  // namespace simulator
