// SPDX-License-Identifier: MIT
// Honest: branches that the compiler chooses.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (Binning::bins > 100) {
    if (i < length) atomicAdd(&histo[Binning::bin_of(data[i])], 1);
  } else {
    if (i < length && Binning::bin_of(data[i]) >= 0) atomicAdd(&histo[Binning::bin_of(data[i])], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
