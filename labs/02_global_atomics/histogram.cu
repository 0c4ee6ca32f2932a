// SPDX-License-Identifier: MIT
// Lab 02: one thread per byte, one histogram in global memory for all of them. (PMPP, figures 9.3 to 9.7)
//
// `data` holds `length` bytes. `histo` holds Binning::bins counters, all zero before the launch. Both lie in the
// device's global memory.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  // TODO 1: compute the position of this thread's byte from blockIdx, blockDim and threadIdx, as a std::size_t.
  // TODO 2: let the threads beyond the end of the input do nothing.
  // TODO 3: ask Binning::bin_of which bin the byte falls into; -1 means that it is not counted.
  // TODO 4: add one to that bin's counter, in one indivisible step.
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 5: launch one thread for each byte: how many blocks of how many threads?
  return {1, 1};
}
