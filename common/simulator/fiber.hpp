// SPDX-License-Identifier: MIT
// A pool of fibers, one for each thread of a block, on Boost.Context. A fiber is used again for the next
// block, so that a grid of millions of blocks makes no more of them than one block needs.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>

namespace simulator {

// A stack of its own, with a zone below it that must not be touched: running out of stack is a fault, not a
// corruption of the neighbour's. The compiled kernel touches every page of a large frame
// (-fstack-clash-protection), so that none steps over the zone. Pages that nobody touches cost nothing.
class FiberStack {
 public:
  FiberStack();
  ~FiberStack();
  FiberStack(FiberStack&& other) noexcept;
  FiberStack& operator=(FiberStack&&) = delete;

  void* top() const { return top_; }
  void* end() const;  // the address behind its highest byte
  std::uintptr_t lowest_frame() const {
    return reinterpret_cast<std::uintptr_t>(top_) - kernel_bytes;
  }  // of a kernel
  bool overflows_at(std::uintptr_t address) const;

  // The limit on a thread's calls and local arrays: the most local memory that CUDA gives a thread (CUDA C++
  // Programming Guide, "Technical specifications per compute capability").
  static constexpr std::size_t kernel_bytes = 512 * 1024;
  static constexpr std::size_t reserve_bytes = 32 * 1024;  // for the functions of ours that a kernel calls
  static constexpr std::size_t colour_bytes = 4096;        // above top()
  static constexpr std::size_t bytes = kernel_bytes + reserve_bytes + colour_bytes;
  static constexpr std::size_t usable_bytes = bytes - colour_bytes;  // below top()
  static constexpr std::size_t guard_bytes =
      64 * 1024;  // the longest step that compilers take without touching a page

 private:
  void* mapping_ = nullptr;
  void* top_ = nullptr;
};

class Fiber {
 public:
  using Body = void (*)();

  // Runs the fiber until it calls leave(); a fresh or restarted one begins with body(), which must not
  // return.
  void enter(Body body);

  // Called on the fiber: goes back to the caller of enter(), and returns at the next enter().
  static void leave();

  const FiberStack& stack() const { return stack_; }

  // Forgets what the fiber was doing; the next enter() begins anew. Nothing on its stack is unwound.
  void restart() { context_ = nullptr; }

 private:
  FiberStack stack_;
  boost::context::detail::fcontext_t context_ = nullptr;
};

}  // namespace simulator
