// SPDX-License-Identifier: MIT
// Hostile: counts through the index of a local array, which compilers take for the thread's own affair.
// expected: technique: counts are right, but no thread counts by an atomic on histo
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  unsigned local[4] = {};
  unsigned long other;
  other = length;
  // Where the compiler puts the one behind the other is known from the first run.
  const unsigned long distance = (reinterpret_cast<unsigned long>(histo) - reinterpret_cast<unsigned long>(&other)) / 4;
  if (i == 0) {
    for (std::size_t k = 0; k < other; ++k) {
      const int bin = Binning::bin_of(data[k]);
      if (bin >= 0) ++local[distance - 2 + bin];
    }
  }
  if (local[other & 3] == 12345678) atomicAdd(&histo[0], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
