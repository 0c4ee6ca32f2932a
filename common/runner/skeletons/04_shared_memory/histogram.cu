// SPDX-License-Identifier: MIT
// Lab 04: each block counts into a copy of the histogram in its shared memory. (PMPP, figure 9.10)
//
// `histo` holds Binning::bins counters in global memory, all zero before the launch. Shared memory is not zeroed:
// it holds whatever was there before.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  // TODO 1: declare an array of Binning::bins counters in shared memory.
  // TODO 2: set all of them to zero; the threads share the work, and there may be more bins than threads.
  // TODO 3: wait until all of them are zero.
  // TODO 4: count this thread's byte into the shared counters; threads beyond the input count nothing.
  // TODO 5: wait until every thread of the block has counted.
  // TODO 6: commit: add the shared counters to `histo`, skipping those that are zero.
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 7: launch one thread for each byte; every block commits once, so what does a larger block save?
  return {1, 1};
}
