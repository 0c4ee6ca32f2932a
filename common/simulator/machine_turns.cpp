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

// One after another. Each lane goes on with the next one itself when it leaves.
void Machine::run_lanes(unsigned lanes, unsigned first_thread) {
  if (lanes == 0 || ends_at_once()) return;
  running_warp_ = &warps_[first_thread / ModelDevice::lanes];
  first_of_warp_ = &threads_[first_thread];
  fresh_lanes_ = lanes & ~running_warp_->begun;
  running_warp_->begun |= lanes;
  next_lanes_ = lanes;
  current_ = first_of_warp_;
  recording.lane = recording.bit = 0;
  Fiber& first = begin_next_turn(is_unusual())->fiber;
  const bool begins = fresh_lanes_ & recording.bit;
  begins ? first.begin() : first.begin_turn();
  first.enter(begins, barrier_result_);
  current_ = nullptr;
  recorder_.stop();
}

// Of the lanes that are to run now; null: none is left. (What its fiber needs is left to the caller.)
[[gnu::always_inline]] inline Thread* Machine::begin_next_turn(bool is_unusual) {
  if (next_lanes_ == 0 || (is_unusual && ends_at_once())) return nullptr;
  // Nearly always the lane behind the one that has run.
  unsigned bit = recording.bit << 1, lane = recording.lane + 1;
  Thread* next = current_ + 1;
  if (!(next_lanes_ & bit)) [[unlikely]] {
    lane = static_cast<unsigned>(std::countr_zero(next_lanes_));
    bit = 1u << lane;
    next = first_of_warp_ + lane;
  }
  next_lanes_ ^= bit;
  begin_turn(*next, lane, bit, is_unusual);
  return next;
}

template <bool turn_is_over>
[[gnu::always_inline]] inline int Machine::go_on(bool is_unusual) {
  Fiber& self = current_->fiber;
  const bool others_begin = !turn_is_over && (fresh_lanes_ & next_lanes_);
  Thread* const next = begin_next_turn(is_unusual);
  if (!next) return self.leave_by_jump(nullptr, barrier_result_);
  prefetch_behind(*next);
  if (fresh_lanes_ & recording.bit) {
    next->fiber.begin();
    return self.leave_to_begin(next->fiber);
  }
  next->fiber.begin_turn();
  return turn_is_over || others_begin ? self.leave_by_jump(&next->fiber, barrier_result_)
                                      : self.leave(&next->fiber, barrier_result_);
}

template <bool turn_is_over>
int Machine::go_on_unusually() {
  look_at_turn(*current_);
  return go_on<turn_is_over>(true);
}

// Called by the running thread: the others go on, until this one is to.
template <bool turn_is_over>
[[gnu::always_inline]] inline int Machine::leave_from_here() {
  if (the_machine.end_turn(turn_is_over)) [[unlikely]]
    return the_machine.go_on_unusually<turn_is_over>();
  return the_machine.go_on<turn_is_over>(false);
}

template <bool turn_is_over>
int Machine::leave() {
  return leave_from_here<turn_is_over>();
}
template int Machine::leave<true>();
template int Machine::leave<false>();

[[gnu::always_inline]] inline int Machine::wait_at_barrier(BarrierReduction reduction, bool predicate,
                                                           std::uintptr_t site) {
  the_machine.current_->site = site;
  Arrivals& arrivals = the_machine.arrivals_;
  if (arrivals.site != site) [[unlikely]] {
    arrivals.sites_differ = arrivals.site != 0;
    if (arrivals.site == 0) arrivals.site = site;
  }
  arrivals.reduction = reduction;
  arrivals.votes += predicate;
  the_machine.running_warp_->ready ^= recording.bit;
  the_machine.running_warp_->at_barrier |= recording.bit;
  return leave_from_here<true>();
}

// Here, so that nothing is called: most kernels' threads wait in the first of them.
void block_barrier() {
  Machine::wait_at_barrier(BarrierReduction::none, false,
                           reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1);
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
    note_unrepeated_swap(*current_);
  recorder_.end_turn();
  running_warp_->ready ^= recording.bit;
  running_warp_->exited |= recording.bit;
  note_end();
  note_progress();
  const std::int32_t fuel = recording.budget.fuel();
  progress.clock += granted_ - fuel;
  return is_unusual() || fuel <= most_ahead;
}

// What the fiber calls next. A thread that has not begun takes the stack of the one before it that has ended:
// it is still in the nearest cache, and nothing has to be changed. Where no thread waits for another one, all
// run on one stack.
[[gnu::always_inline]] inline ThreadProgram Machine::go_on_behind_end(bool is_unusual) {
  Fiber& self = current_->fiber;
  Thread* const next = begin_next_turn(is_unusual);
  if (next && (fresh_lanes_ & recording.bit)) {
    self.give_stack_to(next->fiber);
    return program_;
  }
  if (next) {
    prefetch_behind(*next);
    next->fiber.begin_turn();
  }
  goes_on_ = Fiber::place_of(next ? &next->fiber : nullptr, barrier_result_);
  return {&Fiber::go_to, &goes_on_};
}

ThreadProgram Machine::go_on_behind_end_unusually() {
  look_at_turn(*current_);
  return go_on_behind_end(true);
}

ThreadProgram Machine::end_running_thread() {
  if (the_machine.end_thread()) [[unlikely]]
    return the_machine.go_on_behind_end_unusually();
  return the_machine.go_on_behind_end(false);
}

// Where the kernel's own function puts registers that a function must keep, its thread could change them:
// none holds anything here. What comes after a thread's end is called from the same place as the kernel
// (fiber.hpp). The frame of this function lies on the stack of every thread that waits, and is small.
void Machine::run_threads() {
  for (ThreadProgram call = the_machine.program_;;) {
    call.run(call.arguments);
#if defined(__x86_64__)
    asm volatile("" ::: "rbx", "r12", "r13", "r14", "r15");
#endif
    call = end_running_thread();
  }
}

extern "C" [[gnu::used]] void simulator_fiber_body() { Machine::run_threads(); }

// A block's threads and the tops of their stacks are more than the nearest caches hold.
[[gnu::always_inline]] inline void Machine::prefetch_behind(const Thread& thread) {
  constexpr unsigned until_thread = 5;
  __builtin_prefetch(&thread + until_thread, 1);
  (&thread + stacks_ahead)->fiber.prefetch();
}

// (A block is idle for no longer than no thread of it has ended.)
std::int64_t Machine::shortened(const Thread& thread, std::int64_t granted) const {
  if (overdue_) return 1;
  const bool is_short = idle() > long_idle || (observes_repetitions() && thread.repetition.found());
  return is_short && unending() > until_looked_at_ ? std::min(granted, short_turn) : granted;
}

[[gnu::always_inline]] inline void Machine::begin_turn(Thread& thread, unsigned lane, unsigned bit,
                                                       bool is_unusual) {
  current_ = &thread;
  recorder_.begin_turn(lane, bit);
  if (thread.depth != recording.depth) change_depth(thread.depth);
  if (is_unusual || thread.fuel != turn) [[unlikely]]
    return begin_part_of_turn(thread, is_unusual);
  granted_ = turn;
  recording.budget.begin(turn);
}

// Others have run in the midst of the thread's turn, or turns are short.
void Machine::begin_part_of_turn(const Thread& thread, bool is_unusual) {
  granted_ = is_unusual ? shortened(thread, thread.fuel) : thread.fuel;
  recording.begin_turn(granted_);
}

// Where turns have to be looked at.
void Machine::look_at_turn(Thread& thread) {
  recording.end_short_turn();
  if (recording.last_valued) recorder_.read_back_atomic();
  if (recording_ && observes_repetitions()) observe_repetition(thread);
}

// The running thread's. Whether turns have to be looked at.
[[gnu::always_inline]] inline bool Machine::end_turn(bool is_over) {
  recorder_.end_turn();
  Thread& thread = *current_;
  const std::int32_t fuel = recording.budget.fuel();
  const std::int64_t spent = granted_ - fuel;
  thread.steps += spent;
  thread.fuel = is_over ? turn : fuel;
  thread.fiber.end_turn();
  thread.depth = recording.depth;
  progress.clock += spent;
  return is_unusual() || fuel <= most_ahead;
}

void Machine::begin_turn_of(Thread& thread, unsigned lane) {
  thread.fiber.begin_turn();
  begin_turn(thread, lane, 1u << lane, false);
}

void Machine::end_turn_of(Thread& thread) {
  if (end_turn(false)) look_at_turn(thread);
  current_ = nullptr;
}

}  // namespace simulator
