// SPDX-License-Identifier: MIT
// Traps and clocks. (assert and printf: library.hpp.)
#pragma once

namespace simulator {

// The running thread's launch ends with a report.
[[noreturn]] void trap();

// The basic blocks that the running thread has entered in its block so far: a clock that goes the same in
// every launch.
long long thread_clock();

}  // namespace simulator

// Inlined, for the place of the call is the one that a report names.
[[noreturn]] __attribute__((always_inline)) inline void __trap() { ::simulator::trap(); }
[[noreturn]] __attribute__((always_inline)) inline void __brkpt() { ::simulator::trap(); }
__attribute__((always_inline)) inline long long clock64() { return ::simulator::thread_clock(); }
