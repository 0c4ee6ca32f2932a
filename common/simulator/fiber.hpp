// SPDX-License-Identifier: MIT
// A pool of fibers, one for each thread of a block, on Boost.Context. A fiber is used again for the next block, so
// that a grid of millions of blocks makes no more of them than one block needs.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <vector>

namespace simulator {

// A stack of its own, with a page below it that must not be touched: running out of stack is a fault, not a
// corruption of the neighbour's.
class FiberStack {
 public:
  FiberStack();
  ~FiberStack();
  FiberStack(FiberStack&& other) noexcept;
  FiberStack& operator=(FiberStack&&) = delete;

  void* top() const;
  void* end() const;  // the address behind its highest byte
  static constexpr std::size_t bytes = 256 * 1024;
  static constexpr std::size_t usable_bytes = bytes - 4096;  // below top()

 private:
  void* mapping_ = nullptr;
};

class Fiber {
 public:
  using Body = void (*)();

  // Runs the fiber until it calls leave(); a fresh or restarted one begins with body(), which must not return.
  void enter(Body body);

  // Called on the fiber: goes back to the caller of enter(), and returns at the next enter().
  static void leave();

  void* stack_end() const { return stack_.end(); }

  // Forgets what the fiber was doing; the next enter() begins anew. Nothing on its stack is unwound.
  void restart() { context_ = nullptr; }

 private:
  FiberStack stack_;
  boost::context::detail::fcontext_t context_ = nullptr;
};

}  // namespace simulator
