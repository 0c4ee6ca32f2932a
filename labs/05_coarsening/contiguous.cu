// SPDX-License-Identifier: MIT
// Lab 05, contiguous: each thread counts several neighbouring bytes. (PMPP, figures 9.11, 9.12)
//
// The private copy in shared memory is that of lab 04. The grid no longer grows with the input: whatever it is, every
// byte must be counted once.
#include "lab.hpp"

constexpr std::size_t bytes_per_piece = 16;  // neighbouring bytes that a thread counts before it moves on

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  // TODO 1: prepare the shared counters as in lab 04.
  // TODO 2: number the threads of the whole grid, and count them.
  // TODO 3: let thread t begin with bytes t * C to t * C + C - 1, C being bytes_per_piece, and take further pieces as
  //         long as they are whole. Load all bytes of a piece before you count the first.
  // TODO 4: count the bytes of the last piece, if it is shorter.
  // TODO 5: commit as in lab 04.
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 6: launch eight times as many blocks as the device can hold at a time, fewer if the input has fewer pieces.
  return {1, 1};
}
