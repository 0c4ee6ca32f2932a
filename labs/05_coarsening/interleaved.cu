// SPDX-License-Identifier: MIT
// Lab 05, interleaved: each thread counts several bytes, and in each step the threads of a warp read neighbouring
// ones. (PMPP, figures 9.13, 9.14)
//
// The private copy in shared memory is that of lab 04. The grid no longer grows with the input: whatever it is, every
// byte must be counted once.
#include "lab.hpp"

constexpr std::size_t bytes_under_way = 8;  // that a thread loads before it counts the first of them

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  // TODO 1: prepare the shared counters as in lab 04.
  // TODO 2: number the threads of the whole grid, and count them.
  // TODO 3: let thread t of T count bytes t, t + T, t + 2T, ... as long as there are bytes_under_way of them. Load these
  //         before you count the first.
  // TODO 4: count the bytes that are left, one by one.
  // TODO 5: commit as in lab 04.
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 6: launch eight times as many blocks as the device can hold at a time, but give every thread several bytes.
  return {1, 1};
}
