// SPDX-License-Identifier: MIT
// Honest: launch_shape computes with the standard library.
#include <algorithm>
#include <vector>

#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) {
  std::vector<unsigned> sizes{64, 128, 256};
  std::sort(sizes.begin(), sizes.end());
  const unsigned block = *std::max_element(sizes.begin(), sizes.end());
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
