// SPDX-License-Identifier: MIT
// Honest: a macro that joins to a name of its own.
#include "lab.hpp"

#define BIN(name) bin_##name
#define DECLARE(name) int BIN(name) = 0, name##_of = 0;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  DECLARE(first)
  if (bin_first + first_of != 0) return;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
