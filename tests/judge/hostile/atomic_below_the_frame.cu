// SPDX-License-Identifier: MIT
// Hostile: has an atomic of the simulator change where that atomic returns to.
// expected: out_of_bounds: histogram_kernel changed local atomically, which is the thread's own; atomics need global or shared memory
// or: out_of_bounds: histogram_kernel wrote memory that belongs to no array
// on a GPU: crash: cudaErrorLaunchFailure: unspecified launch failure
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned long long local = length;
  for (unsigned long k = 1; k < 64; ++k) atomicAdd(&local - k, 16ull);
  if (local == 7) atomicAdd(&histo[0], data[0]);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
