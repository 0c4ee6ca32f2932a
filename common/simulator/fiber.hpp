// SPDX-License-Identifier: MIT
// Fibers, one for each thread of a block. A fiber is used again for the next block, so that a grid of
// millions of blocks makes no more of them than one block needs.
//
// They are our own and not a library's because of how often they change. A change is a call that returns on
// the other stack. A processor expects of each return that it leads behind the last call that has not
// returned yet, and a wrong guess costs it more than all the rest of a change:
//
//   leave          fibers that wait in the same function of ours, one after another: each returns behind the
//                  other's call, which is the same place
//   leave_by_jump  fibers that wait at several places of a kernel: where a jump leads to is guessed from
//   where
//                  the last ones went
//   leave_to_begin fibers that begin: nothing of theirs is on their stack. Where one waits, others begin
//   before
//                  it goes on, so it does not expect to return to where it began
//   go_to          the fiber that goes on may come to its own end next, and return behind the call that began
//                  it: whoever ends calls that from the same place, and kernels are jumped to from there
//
// A barrier is jumped to as well (assembly/inlined_hooks.hpp). So when the last fiber leaves for the caller
// of enter(), what is expected is what was when that was called, and everyone up to there returns as
// expected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "facts/launch_shape.hpp"
#include "simulator/guards.hpp"

namespace simulator {

// A stack of its own, with a zone below it and one above that must not be touched: running out of stack is a
// fault, not a corruption of the neighbour's. The compiled kernel touches every page of a large frame
// (-fstack-clash-protection), so that none steps over the zone. Pages that nobody touches cost nothing.
//
// Its top lies a different number of cache lines below the end of its highest page from fiber to fiber: all
// mappings lie at the same place within a page, so that without it the stacks of a block's threads would
// compete for the same few sets of the processor's caches.
//
// Above the top lies the list of the thread's calls (guards.hpp), out of its reach. Its first entry ends with
// a line of the processor's cache, which the highest bytes of the stack begin: a thread that waits has little
// on its stack, and a block's threads are too many for the nearest cache.
class FiberStack {
 public:
  FiberStack();
  ~FiberStack();
  FiberStack(FiberStack&& other) noexcept;
  void exchange(FiberStack& other) { std::swap(top_, other.top_); }
  FiberStack& operator=(FiberStack&&) = delete;

  void* top() const { return top_; }
  std::uintptr_t begin() const { return reinterpret_cast<std::uintptr_t>(top_) - usable_bytes; }
  std::uintptr_t end() const {  // the address behind its highest byte
    return (reinterpret_cast<std::uintptr_t>(top_) + colour_bytes - 1) / colour_bytes * colour_bytes;
  }
  bool overflows_at(std::uintptr_t address) const;

  // The list of calls. In front of it, at the top, lies where no call's stack can be.
  CallPlace* calls() const {
    return reinterpret_cast<CallPlace*>(static_cast<unsigned char*>(top_) + sizeof(CallPlace::stack));
  }

  // The limit on a thread's calls and local arrays: the most local memory that CUDA gives a thread (CUDA C++
  // Programming Guide, "Technical specifications per compute capability").
  static constexpr std::size_t kernel_bytes = std::size_t{512} * 1024;
  static constexpr std::size_t reserve_bytes =
      std::size_t{32} * 1024;                        // for the functions of ours that a kernel calls
  static constexpr std::size_t colour_bytes = 4096;  // above top()
  static constexpr std::size_t bytes = kernel_bytes + reserve_bytes + colour_bytes;
  static constexpr std::size_t usable_bytes = bytes - colour_bytes;  // below top()
  static constexpr std::size_t guard_bytes =
      std::size_t{64} * 1024;  // the longest step that compilers take without touching a page
  static constexpr std::size_t calls_bytes = (bytes / 16 * sizeof(CallPlace) / 4096 + 3) * 4096;

 private:
  std::uintptr_t mapping() const { return end() - bytes - guard_bytes; }

  void* top_ = nullptr;
};

// What a fiber calls when the program has returned that it was told to call.
extern "C" [[gnu::visibility("hidden")]] facts::ThreadProgram simulator_next_program();

class Fiber {
 public:
  Fiber();

  // Runs the fiber, and those that it leaves to, until one goes back. `result` is what the call returns in
  // which it waits. begin_with(): it begins, whatever it was doing before, and calls the program, and then
  // what simulator_next_program() tells, again and again; it goes to the caller where that is nothing.
  void enter(int result);
  void begin_with(const facts::ThreadProgram& program);

  // A fiber that begins finds 0 in registers that it has not set, and from now on something else: as on a
  // GPU, where they hold what others have left. (Some kernels are right as long as it is 0.)
  static void spoil_registers();

  // Called on this fiber: goes on with another one, or, if that is null, goes back to the caller of enter().
  // Returns when this fiber is gone on with.
  int leave(Fiber* next, int result);
  int leave_by_jump(Fiber* next, int result);
  int leave_to_begin(Fiber& next, const facts::ThreadProgram& program);

  // Where a fiber goes on with what result. Nothing of who calls go_to() is kept. (In assembly: as a function
  // that calls another one it would leave a return to be expected that never comes.)
  struct Place {
    const void* at;
    int result;
  };
  Place place(int result) const { return {at_, result}; }
  [[noreturn, gnu::visibility("hidden")]] static void go_to(const void* place) asm("simulator_go_to");

  // The fiber will be gone on with soon: its stack is brought near.
  [[gnu::always_inline]] void prefetch() const {
    constexpr std::size_t line_bytes = 64, lines = 3;
    for (std::size_t i = 0; i < lines; ++i)
      __builtin_prefetch(static_cast<const char*>(at_) + i * line_bytes, 1);
  }

  const FiberStack& stack() const { return stack_; }

  // What guards.hpp has of the running thread: before the fiber begins or is gone on with, and when it has
  // left.
  void begin() const {
    simulator_calls_end = stack_.calls();
    simulator_own_stack = {stack_.begin(), FiberStack::usable_bytes};
  }
  void begin_turn() const {
    simulator_calls_end = calls_end_;
    simulator_own_stack = {stack_.begin(), own_bytes_};
  }
  void end_turn() {
    calls_end_ = simulator_calls_end;
    own_bytes_ = static_cast<std::uint32_t>(simulator_own_stack.bytes);
  }

  // Called on this fiber, which has ended: what runs on it goes on as the other one, which has not begun.
  // What guards.hpp has of the running thread stays as it is.
  void give_stack_to(Fiber& other) { stack_.exchange(other.stack_); }

 private:
  void* at_;  // where on its stack it goes on
  // While other threads run: where the list of calls ends, and how much of the stack is below the first of
  // them.
  CallPlace* calls_end_;
  FiberStack stack_;
  std::uint32_t own_bytes_ = FiberStack::usable_bytes;
};

}  // namespace simulator
