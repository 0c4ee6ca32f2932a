// SPDX-License-Identifier: MIT
// What all groups of kernels share: the rank of a thread, and how a kernel is launched on either backend.
#pragma once

#if defined(WORKBOOK_SIMULATOR)
#include "simulator/cuda/cuda.hpp"
#endif

#include "kernels.hpp"

namespace golden {

namespace {

constexpr unsigned last = elements - 1;  // also the mask of a valid index

__device__ inline unsigned rank() { return blockIdx.x * blockDim.x + threadIdx.x; }

#if defined(__CUDACC__)

template <void (*kernel)(const unsigned*, unsigned*, unsigned)>
void launch(unsigned grid, unsigned block, const unsigned* in, unsigned* out, unsigned parameter,
            runner::LaunchOutcome& outcome) {
  kernel<<<grid, block>>>(in, out, parameter);
  outcome.error = cudaGetLastError();
}

#else

struct Arguments {
  const unsigned* in;
  unsigned* out;
  unsigned parameter;
};

// Not instrumented, as in problems/histogram/unit/kernel_entry.hpp.
template <void (*kernel)(const unsigned*, unsigned*, unsigned)>
#undef no_sanitize
__attribute__((no_sanitize("thread"), noinline)) void run_thread(const void* arguments) {
  const auto& [in, out, parameter] = *static_cast<const Arguments*>(arguments);
  kernel(in, out, parameter);
}

template <void (*kernel)(const unsigned*, unsigned*, unsigned)>
void launch(unsigned grid, unsigned block, const unsigned* in, unsigned* out, unsigned parameter,
            runner::LaunchOutcome& outcome) {
  const Arguments arguments{in, out, parameter};
  outcome.result = simulator::launch({grid, block}, {&run_thread<kernel>, &arguments});
}

#endif

}  // namespace

}  // namespace golden
