// SPDX-License-Identifier: MIT
// Lab 06: each thread adds up equal bins before it issues an atomic. (PMPP, figure 9.15)
//
// Shared counters and the distribution of the bytes over the threads are those of lab 05, interleaved.
#include "lab.hpp"

constexpr std::size_t bytes_under_way = 8;  // that a thread loads before it counts the first of them

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  // TODO 1: prepare the shared counters, and number and count the threads, as in lab 05.
  // TODO 2: remember the bin of the current run, none at first, and how many bytes of it were met.
  // TODO 3: write what happens for a byte of this thread, given its bin: lengthen the run, or, if another bin begins, add
  //         the run to its counter and start a new one. A function of your own, or a lambda, serves both loops below.
  // TODO 4: go through this thread's bytes as in lab 05: several are loaded before the first is counted, the rest one by
  //         one. Then add the last run too.
  // TODO 5: commit as in lab 04.
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 6: launch as in lab 05, interleaved.
  return {1, 1};
}
