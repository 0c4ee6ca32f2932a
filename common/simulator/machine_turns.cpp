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
  behind_threads_ = threads_.data() + block_threads_;
  fresh_lanes_ = lanes & ~running_warp_->begun;
  running_warp_->begun |= lanes;
  next_lanes_ = lanes;
  begin_next_turn(is_unusual(), nullptr)->fiber.enter(barrier_result_);
  current_ = nullptr;
  recorder_.stop();
}

// Of the lanes that are to run now; null: none is left. `gives_stack`: the fiber whose stack it takes, unless
// that is null.
[[gnu::always_inline]] inline Thread* Machine::begin_next_turn(bool is_unusual, Fiber* gives_stack) {
  if (next_lanes_ == 0 || (is_unusual && ends_at_once())) return nullptr;
  const auto lane = static_cast<unsigned>(std::countr_zero(next_lanes_));
  Thread& next = first_of_warp_[lane];
  next_lanes_ &= next_lanes_ - 1;
  if (gives_stack) gives_stack->give_stack_to(next.fiber);
  begin_turn(next, lane, is_unusual);
  return &next;
}

template <bool turn_is_over>
[[gnu::always_inline]] inline int Machine::go_on(bool is_unusual) {
  Thread& self = *current_;
  const bool others_begin = fresh_lanes_ & next_lanes_;
  Thread* const next = begin_next_turn(is_unusual, nullptr);
  if (next) prefetch_behind(*next);
  Fiber* const fiber = next ? &next->fiber : nullptr;
  return turn_is_over || others_begin ? self.fiber.leave_by_jump(fiber, barrier_result_)
                                      : self.fiber.leave(fiber, barrier_result_);
}

template <bool turn_is_over>
int Machine::go_on_unusually() {
  look_at_turn(*current_);
  return go_on<turn_is_over>(true);
}

// Called by the running thread: the others go on, until this one is to.
template <bool turn_is_over>
int Machine::leave() {
  if (the_machine.end_turn(turn_is_over)) [[unlikely]]
    return the_machine.go_on_unusually<turn_is_over>();
  return the_machine.go_on<turn_is_over>(false);
}
template int Machine::leave<true>();
template int Machine::leave<false>();

void Machine::note_unrepeated_swap(Thread& thread) {
  if (std::exchange(thread.failed_swap, 0)) ++unrepeated_swaps_[thread.site_of_failed_swap];
}

[[gnu::always_inline]] inline bool Machine::end_thread() {
  if (anyone_failed_swap_) [[unlikely]]
    note_unrepeated_swap(*current_);
  recorder_.end_turn();
  running_warp_->ready &= ~recording.bit;
  running_warp_->exited |= recording.bit;
  note_end();
  note_progress();
  clock_ += granted_ - recording.budget.fuel();
  return is_unusual();
}

// A thread that has not begun takes the stack of the one before it that has ended: it is still in the nearest
// cache, and nothing has to be changed. Where no thread waits for another one, all run on one stack.
[[gnu::always_inline]] inline void Machine::go_on_behind_end(bool is_unusual) {
  Thread& self = *current_;
  if (fresh_lanes_ & next_lanes_ & -next_lanes_) {
    if (begin_next_turn(is_unusual, &self.fiber)) return;
    goes_on_ = nullptr;
  } else {
    goes_on_ = begin_next_turn(is_unusual, nullptr);
    if (goes_on_) prefetch_behind(*goes_on_);
  }
  ended_ = &self;
  call_ = {&go_on_elsewhere, nullptr};
}

void Machine::go_on_behind_end_unusually() {
  look_at_turn(*current_);
  go_on_behind_end(true);
}

void Machine::end_running_thread() {
  if (the_machine.end_thread()) [[unlikely]]
    return the_machine.go_on_behind_end_unusually();
  the_machine.go_on_behind_end(false);
}

void Machine::go_on_elsewhere(const void*) {
  the_machine.call_ = the_machine.program_;
  Thread* const next = the_machine.goes_on_;
  the_machine.ended_->fiber.end(next ? &next->fiber : nullptr, the_machine.barrier_result_);
}

// Where the kernel's own function puts registers that a function must keep, its thread could change them:
// none holds anything here. What comes after a thread's end is called from the same place as the kernel
// (fiber.hpp). The frame of this function lies on the stack of every thread that waits, and is small.
void Machine::run_threads() {
  for (;;) {
    the_machine.call_.run(the_machine.call_.arguments);
#if defined(__x86_64__)
    asm volatile("" ::: "rbx", "r12", "r13", "r14", "r15");
#endif
    end_running_thread();
  }
}

void fiber_body() { Machine::run_threads(); }

// A block's threads and the tops of their stacks are more than the nearest caches hold.
[[gnu::always_inline]] inline void Machine::prefetch_behind(const Thread& thread) {
  constexpr unsigned until_stack = 2, until_thread = 5;
  __builtin_prefetch(&thread + until_thread, 1);
  if (&thread + until_stack < behind_threads_) (&thread + until_stack)->fiber.prefetch();
}

// (A block is idle for no longer than no thread of it has ended.)
std::int64_t Machine::shortened(const Thread& thread, std::int64_t granted) const {
  if (overdue_) return 1;
  const bool is_short = idle() > long_idle || (observes_repetitions() && thread.repetition.found());
  return is_short && unending() > until_looked_at_ ? std::min(granted, short_turn) : granted;
}

[[gnu::always_inline]] inline void Machine::begin_turn(Thread& thread, unsigned lane, bool is_unusual) {
  current_ = &thread;
  thread.fiber.begin_turn();
  recorder_.begin_turn(lane, thread.depth, recording_);
  granted_ = thread.fuel;
  if (is_unusual) [[unlikely]]
    granted_ = shortened(thread, granted_);
  recording.begin_turn(granted_);
}

// Where turns have to be looked at.
void Machine::look_at_turn(Thread& thread) {
  if (recording_ && observes_repetitions()) observe_repetition(thread);
}

// The running thread's. Whether turns have to be looked at.
[[gnu::always_inline]] inline bool Machine::end_turn(bool is_over) {
  recorder_.end_turn();
  Thread& thread = *current_;
  const std::int64_t fuel = recording.budget.fuel(), spent = granted_ - fuel;
  thread.steps += spent;
  thread.fuel = static_cast<std::int32_t>(is_over ? turn : fuel);
  thread.fiber.end_turn();
  thread.depth = recording.depth;
  clock_ += spent;
  return is_unusual();
}

void Machine::begin_turn_of(Thread& thread, unsigned lane) { begin_turn(thread, lane, false); }

void Machine::end_turn_of(Thread& thread) {
  if (end_turn(false)) look_at_turn(thread);
  current_ = nullptr;
}

}  // namespace simulator
