// SPDX-License-Identifier: MIT
#pragma once

#include <signal.h>

#include <chrono>
#include <optional>

namespace simulator {

// While one of these lives, a kernel's thread that runs out of stack, divides an integer by zero or executes
// a trap ends with a report, instead of ending the program: the signal's handler, on a stack of its own, lets
// the thread go on in a function that reports. Signals of any other origin go where they went before.
//
// A thread that runs when the time limit is over ends with a report too: at its next basic block, or where it
// is if it comes to none, as in `while (true) {}`, for which a compiler writes a jump to itself.
class KernelSignals {
 public:
  explicit KernelSignals(std::optional<std::chrono::milliseconds> time_limit);
  ~KernelSignals();
  KernelSignals(const KernelSignals&) = delete;
  KernelSignals& operator=(const KernelSignals&) = delete;

 private:
  stack_t previous_stack_;
};

}  // namespace simulator
