// SPDX-License-Identifier: MIT
// Honest: a pointer to a function, handed to another one that is not inlined.
#include "lab.hpp"

__device__ void add(unsigned int* counter) { atomicAdd(counter, 1); }
__device__ __noinline__ void apply(void (*action)(unsigned int*), unsigned int* counter) { action(counter); }

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) apply(add, &histo[bin]);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
