// SPDX-License-Identifier: MIT
// Hostile: has memset write over where it returns to.
// expected: out_of_bounds: histogram_kernel wrote memory that belongs to no array
// on a GPU: wrong_answer: `histo` stays 0 in every bin
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned char local[64];
  memset(local - 512, static_cast<int>(length), 512);
  if (local[3] == 7) atomicAdd(&histo[0], data[0]);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
