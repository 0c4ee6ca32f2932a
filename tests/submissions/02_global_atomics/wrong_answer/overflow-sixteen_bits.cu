// SPDX-License-Identifier: MIT
// Wrong: counts up to 65535, and from 0 on again.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position >= length) return;
  const int bin = Binning::bin_of(data[position]);
  if (bin >= 0 && atomicAdd(&histo[bin], 1u) == 65535u) atomicSub(&histo[bin], 65536u);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
