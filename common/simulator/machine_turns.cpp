// SPDX-License-Identifier: MIT
// How a warp's lanes run one after another: each goes on with the next one itself when it waits or ends. A
// short kernel takes as many turns as anything else.
//
// So these functions have the machine where it is, and what is seldom done is in functions of their own:
// nothing has to be kept over a call.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "simulator/machine.hpp"

namespace simulator {

// Where a lane has ended its turn: at the kernel's end, not at a barrier's site.
constexpr std::uintptr_t kernel_end = 1;

// One after another. Each lane goes on with the next one itself when it leaves.
void Machine::run_lanes(unsigned lanes, unsigned first_thread) {
  if (lanes == 0 || ends_at_once()) return;
  running_warp_ = &warps_[first_thread / ModelDevice::lanes];
  first_of_warp_ = &threads_[first_thread];
  fresh_lanes_ = lanes & ~running_warp_->begun;
  running_warp_->begun |= lanes;
  next_lanes_ = lanes;
  alike_ = {};
  recording.thread = first_of_warp_;
  recording.lane = recording.bit = 0;
  const NextTurn first = begin_next_turn(is_unusual());
  Fiber& fiber = first.thread->fiber;
  if (first.begins) {
    fiber.begin();
    fiber.begin_with(program_);
  } else {
    fiber.begin_turn();
    fiber.enter(barrier_result_);
  }
  recording.thread = nullptr;
  recorder_.stop();
}

// Of the lanes that are to run now; null: none is left. (What its fiber needs is left to the caller.)
[[gnu::always_inline]] inline Machine::NextTurn Machine::begin_next_turn(bool is_unusual) {
  if (next_lanes_ == 0 || (is_unusual && ends_at_once())) return {};
  // Nearly always the lane behind the one that has run.
  unsigned bit = recording.bit << 1, lane = recording.lane + 1;
  Thread* next = recording.thread + 1;
  if (!(next_lanes_ & bit)) [[unlikely]] {
    lane = static_cast<unsigned>(std::countr_zero(next_lanes_));
    bit = 1u << lane;
    next = first_of_warp_ + lane;
  }
  next_lanes_ ^= bit;
  const bool begins = fresh_lanes_ & bit;
  if (begins) {
    next->depth = 0;
    next->steps = 0;
  }
  begin_turn(*next, lane, bit, is_unusual);
  return {next, begins};
}

// A block's threads and the tops of their stacks are more than the nearest caches hold.
[[gnu::always_inline]] inline void Machine::prefetch_behind(const Thread& thread) {
  constexpr unsigned until_thread = 5;
  __builtin_prefetch(&thread + until_thread, 1);
  (&thread + stacks_ahead)->fiber.prefetch();
}

// The running lane's turn has ended, and all is done that belongs to it: others may end theirs alike.
[[gnu::always_inline]] inline void Machine::begin_alike_turns(std::uintptr_t where) {
  const unsigned behind = recording.lane + 1;
  const bool begin = fresh_lanes_ & recording.bit << 1;
  const unsigned alike = begin ? fresh_lanes_ : ~(fresh_lanes_ | running_warp_->amid_turn);
  const auto run = static_cast<unsigned>(std::countr_one(std::uint64_t{next_lanes_ & alike} >> behind));
  alike_ = {where, recording.ahead, recording.at(), next_lanes_, behind + run, begin};
}

// (No row has been put into the list since the first of them: settle_alike_turns.)
[[gnu::always_inline]] inline bool Machine::ends_alike(std::uintptr_t where) const {
  return alike_.where == where && recording.ahead == alike_.ahead && recording.unread == 0;
}

// Goes on to the turn of the lane behind, which has all of it left as the ending one had, and does of that
// one what is its own. No thread, and nothing is done: there is no such lane, or turns have to be looked at.
template <bool is_end>
[[gnu::always_inline]] inline Machine::NextTurn Machine::begin_turn_behind_alike() {
  const std::int32_t fuel = recording.budget.fuel();
  const std::int64_t spent = turn - fuel, before = progress.clock, clock = before + spent;
  const unsigned lane = recording.lane + 1;
  Thread& self = *recording.thread;
  Thread* const next = &self + 1;
  const bool begins = alike_.begin;
  if (lane >= alike_.end || fuel <= most_ahead || clock > look_at_) [[unlikely]]
    return {};
  progress.clock = clock;
  if (is_end) {
    unending_since_ = before;
  } else {
    self.steps += spent;
    self.fiber.end_turn();
    self.depth = recording.depth;
  }
  recording.thread = next;
  recorder_.begin_turn(lane, recording.bit << 1);
  if (begins) {
    next->steps = 0;
    set_no_depth();
  } else if (next->depth != recording.depth) {
    change_depth(next->depth);
  }
  recording.budget.begin(turn);
  return {next, begins};
}

void Machine::settle_alike_lanes() {
  const AlikeTurns alike = std::exchange(alike_, {});
  next_lanes_ = alike.left & ~(recording.bit | (recording.bit - 1));
  const unsigned lanes = alike.left & ~(next_lanes_ | recording.bit);
  if (lanes == 0) return;
  if (alike.last) recorder_.end_turns(*alike.last, lanes);
  running_warp_->ready &= ~lanes;
  if (alike.where == kernel_end) {
    running_warp_->exited |= lanes;
    note_end_at(unending_since_);
  } else {
    running_warp_->at_barrier |= lanes;
  }
}

template <bool by_jump>
[[gnu::always_inline]] inline int Machine::go_on_with(Fiber& self, NextTurn next) {
  Fiber& fiber = next.thread->fiber;
  prefetch_behind(*next.thread);
  if (next.begins) {
    fiber.begin();
    return self.leave_to_begin(fiber, the_machine.program_);
  }
  fiber.begin_turn();
  return by_jump ? self.leave_by_jump(&fiber, barrier_result_) : self.leave(&fiber, barrier_result_);
}

template <bool turn_is_over>
[[gnu::always_inline]] inline int Machine::go_on(bool is_unusual) {
  Fiber& self = recording.thread->fiber;
  const bool others_begin = !turn_is_over && (fresh_lanes_ & next_lanes_);
  const NextTurn next = begin_next_turn(is_unusual);
  if (!next.thread) {
    return turn_is_over ? self.leave(nullptr, barrier_result_) : self.leave_by_jump(nullptr, barrier_result_);
  }
  return turn_is_over || others_begin ? go_on_with<true>(self, next) : go_on_with<false>(self, next);
}

template <bool turn_is_over>
int Machine::go_on_unusually() {
  look_at_turn(*recording.thread);
  return go_on<turn_is_over>(true);
}

// Called by the running thread: the others go on, until this one is to.
template <bool turn_is_over>
[[gnu::always_inline]] inline int Machine::leave_from_here(std::uintptr_t where) {
  if (the_machine.end_turn(turn_is_over, where)) [[unlikely]]
    return the_machine.go_on_unusually<turn_is_over>();
  return the_machine.go_on<turn_is_over>(false);
}

template <bool turn_is_over>
int Machine::leave() {
  return leave_from_here<turn_is_over>(0);
}
template int Machine::leave<true>();
template int Machine::leave<false>();

[[gnu::always_inline]] inline int Machine::wait_at_barrier(BarrierReduction reduction, bool predicate,
                                                           std::uintptr_t site) {
  recording.thread->site = site;
  Arrivals& arrivals = the_machine.arrivals_;
  if (arrivals.site != site) [[unlikely]] {
    arrivals.sites_differ = arrivals.site != 0;
    if (arrivals.site == 0) arrivals.site = site;
  }
  arrivals.reduction = reduction;
  arrivals.votes += predicate;
  the_machine.running_warp_->ready ^= recording.bit;
  the_machine.running_warp_->at_barrier |= recording.bit;
  return leave_from_here<true>(reduction == BarrierReduction::none ? site : 0);
}

// Where the lane before it has done the same.
[[gnu::always_inline]] inline Machine::NextTurn Machine::begin_turn_behind_barrier(std::uintptr_t site) {
  recording.thread->site = site;
  return ends_alike(site) ? begin_turn_behind_alike<false>() : NextTurn{};
}

void Machine::wait_at_barrier_unlike(std::uintptr_t site) {
  Fiber& self = recording.thread->fiber;
  if (recording.unread > 0) {
    the_machine.recorder_.read_back_all_stores();
    if (const NextTurn next = the_machine.begin_turn_behind_barrier(site); next.thread) {
      the_machine.go_on_with<true>(self, next);
      return;
    }
  }
  wait_at_barrier(BarrierReduction::none, false, site);
}

[[gnu::always_inline]] inline void Machine::wait_at_barrier(std::uintptr_t site) {
  Fiber& self = recording.thread->fiber;
  const NextTurn next = the_machine.begin_turn_behind_barrier(site);
  next.thread ? static_cast<void>(the_machine.go_on_with<true>(self, next)) : wait_at_barrier_unlike(site);
}

// Here, so that nothing is called: most kernels' threads wait in the first of them.
void block_barrier() {
  Machine::wait_at_barrier(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1);
}
int block_barrier(BarrierReduction reduction, bool predicate) {
  return Machine::wait_at_barrier(reduction, predicate,
                                  reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1);
}

void Machine::note_unrepeated_swap(Thread& thread) {
  if (std::exchange(thread.failed_swap, 0)) ++unrepeated_swaps_[thread.site_of_failed_swap];
}

[[gnu::always_inline]] inline bool Machine::end_thread() {
  if (anyone_failed_swap_) [[unlikely]]
    note_unrepeated_swap(*recording.thread);
  settle_alike_turns();
  recorder_.end_turn();
  running_warp_->ready ^= recording.bit;
  running_warp_->exited |= recording.bit;
  note_end_at(progress.clock);
  const std::int32_t fuel = recording.budget.fuel();
  progress.clock += granted_ - fuel;
  if (is_unusual() || fuel <= most_ahead) return true;
  if (!anyone_failed_swap_) begin_alike_turns(kernel_end);
  return false;
}

// What the fiber calls next. A thread that has not begun takes the stack of the one before it that has ended:
// it is still in the nearest cache, and nothing has to be changed. Where no thread waits for another one, all
// run on one stack.
[[gnu::always_inline]] inline ThreadProgram Machine::go_on_behind_end(bool is_unusual) {
  Fiber& self = recording.thread->fiber;
  return go_on_behind_end_with(self, begin_next_turn(is_unusual));
}

[[gnu::always_inline]] inline ThreadProgram Machine::go_on_behind_end_with(Fiber& self, NextTurn next) {
  if (next.begins) {
    self.give_stack_to(next.thread->fiber);
    return program_;
  }
  if (!next.thread) return {};
  prefetch_behind(*next.thread);
  next.thread->fiber.begin_turn();
  goes_on_ = next.thread->fiber.place(barrier_result_);
  return {&Fiber::go_to, &goes_on_};
}

ThreadProgram Machine::go_on_behind_end_unusually() {
  look_at_turn(*recording.thread);
  return go_on_behind_end(true);
}

ThreadProgram Machine::end_running_thread_unlike() {
  if (the_machine.end_thread()) [[unlikely]]
    return the_machine.go_on_behind_end_unusually();
  return the_machine.go_on_behind_end(false);
}

[[gnu::always_inline]] inline ThreadProgram Machine::end_running_thread() {
  Fiber& self = recording.thread->fiber;
  const NextTurn next =
      the_machine.ends_alike(kernel_end) ? the_machine.begin_turn_behind_alike<true>() : NextTurn{};
  return next.thread ? the_machine.go_on_behind_end_with(self, next) : end_running_thread_unlike();
}

ThreadProgram simulator_next_program() { return Machine::end_running_thread(); }

// (A block is idle for no longer than no thread of it has ended.)
std::int64_t Machine::shortened(const Thread& thread, std::int64_t granted) const {
  if (overdue_) return 1;
  const bool is_short = idle() > long_idle || (observes_repetitions() && thread.repetition.found());
  return is_short && unending() > until_looked_at_ ? std::min(granted, short_turn) : granted;
}

[[gnu::always_inline]] inline void Machine::begin_turn(Thread& thread, unsigned lane, unsigned bit,
                                                       bool is_unusual) {
  recording.thread = &thread;
  recorder_.begin_turn(lane, bit);
  if (thread.depth != recording.depth) change_depth(thread.depth);
  if (is_unusual || (running_warp_->amid_turn & bit)) [[unlikely]]
    return begin_part_of_turn(thread, is_unusual);
  granted_ = turn;
  recording.budget.begin(turn);
}

// Others have run in the midst of the thread's turn, or turns are short.
void Machine::begin_part_of_turn(const Thread& thread, bool is_unusual) {
  const std::int32_t left = running_warp_->amid_turn & recording.bit ? thread.fuel : turn;
  granted_ = is_unusual ? shortened(thread, left) : left;
  recording.begin_turn(granted_, prolonged_ != 0);
}

// Where turns have to be looked at.
void Machine::look_at_turn(Thread& thread) {
  recording.end_short_turn();
  if (recording.last_valued) recorder_.read_back_atomic();
  if (recording_ && observes_repetitions()) observe_repetition(thread);
}

// The running thread's. `where`: the site of a barrier without a result, or 0. Whether turns have to be
// looked at.
[[gnu::always_inline]] inline bool Machine::end_turn(bool is_over, std::uintptr_t where) {
  settle_alike_turns();
  recorder_.end_turn();
  Thread& thread = *recording.thread;
  const std::int32_t fuel = recording.budget.fuel();
  const std::int64_t spent = granted_ - fuel;
  thread.steps += spent;
  if (is_over) {
    running_warp_->amid_turn &= ~recording.bit;
  } else {
    running_warp_->amid_turn |= recording.bit;
    thread.fuel = fuel;
  }
  thread.fiber.end_turn();
  thread.depth = recording.depth;
  progress.clock += spent;
  if (is_unusual() || fuel <= most_ahead) return true;
  if (where) begin_alike_turns(where);
  return false;
}

void Machine::begin_turn_of(Thread& thread, unsigned lane) {
  thread.fiber.begin_turn();
  begin_turn(thread, lane, 1u << lane, false);
}

void Machine::end_turn_of(Thread& thread) {
  if (end_turn(false, 0)) look_at_turn(thread);
  recording.thread = nullptr;
}

}  // namespace simulator
