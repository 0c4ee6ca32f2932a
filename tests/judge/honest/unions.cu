// SPDX-License-Identifier: MIT
// Honest: a union that takes a word apart.
#include "lab.hpp"

union Word {
  unsigned int whole;
  unsigned char bytes[4];
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  Word word;
  word.whole = data[i];
  const int bin = Binning::bin_of(word.bytes[0]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
