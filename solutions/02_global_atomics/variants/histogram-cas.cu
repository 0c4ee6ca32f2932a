// SPDX-License-Identifier: MIT
// Lab 02 with an atomicAdd of its own, made of atomicCAS: try to replace what the counter is thought to hold by one more,
// and if it held something else try again with that.
#include "lab.hpp"

__device__ inline void add_one(unsigned int* counter) {
  unsigned int seen = 0, expected;
  do {
    expected = seen;
    seen = atomicCAS(counter, expected, expected + 1);
  } while (seen != expected);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position >= length) return;
  const int bin = Binning::bin_of(data[position]);
  if (bin >= 0) add_one(&histo[bin]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
