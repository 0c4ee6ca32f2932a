// SPDX-License-Identifier: MIT
// Right: what happens to a byte is called through a table of functions.
#include "lab.hpp"

using Action = void (*)(unsigned*, int);
__device__ void skip(unsigned*, int) {}
__device__ void add_one(unsigned* histo, int bin) { atomicAdd(histo + bin, 1u); }

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  Action actions[2] = {skip, add_one};
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  actions[bin >= 0](histo, bin);
}

LaunchShape launch_shape(std::size_t length) { return {unsigned((length + 255) / 256), 256}; }
