// SPDX-License-Identifier: MIT
// Hostile: writes over the addresses on its stack that functions return to.
// expected: out_of_bounds: away wrote memory that belongs to no array
// on a GPU: wrong_answer: `histo` stays 0 in every bin
#include "lab.hpp"

__device__ __noinline__ unsigned long away(unsigned long* p, unsigned long to) {
  for (int k = 0; k < 24; ++k) p[k] = to + k;
  return p[3];
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned long local[2] = {1, 2};
  if (away(local, length) == 7) atomicAdd(&histo[0], data[0]);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
