// SPDX-License-Identifier: MIT
// A kernel's faults, and the end of its time, as signals of the operating system.
#pragma once

#include <signal.h>

#include <chrono>
#include <optional>

namespace simulator {

// The processor's time that this program has taken: unlike the clock's, it does not depend on what else the
// machine does.
std::chrono::nanoseconds processor_time();

// While one of these lives, a kernel's thread that runs out of stack, divides an integer by zero or executes
// a trap ends with a report, instead of ending the program: the signal's handler, on a stack of its own, lets
// the thread go on in a function that reports. Signals of any other origin go where they went before.
//
// A thread that runs when the time limit is over ends with a report too: at its next basic block, or where it
// is if it comes to none, as in `while (true) {}`, for which a compiler writes a jump to itself. Such a
// thread ends after a second, without a time limit too. Times are the processor's.
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
