// SPDX-License-Identifier: MIT
// Honest: a fold over several bytes.
#include "lab.hpp"

template <class... Bins>
__device__ void count_all(unsigned int* histo, Bins... bins) {
  ((bins >= 0 ? static_cast<void>(atomicAdd(&histo[bins], 1)) : static_cast<void>(0)), ...);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 1 < length) count_all(histo, Binning::bin_of(data[i]), Binning::bin_of(data[i + 1]));
  else if (i < length) count_all(histo, Binning::bin_of(data[i]));
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 511) / 512), 256}; }
