// SPDX-License-Identifier: MIT
// Honest: a lambda without captures, kept as a pointer.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  unsigned (*const next)(unsigned*) = [](unsigned* counter) { return atomicAdd(counter, 1u); };
  if (bin >= 0) next(&histo[bin]);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
