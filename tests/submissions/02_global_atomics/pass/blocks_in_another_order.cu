// SPDX-License-Identifier: MIT
// Right: a block's part has another number than the block, so that neighbours work far apart.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr std::size_t apart = 1000003;  // prime, and so each part has one block unless there are as many blocks
  const std::size_t part = gridDim.x % apart == 0 ? blockIdx.x : blockIdx.x * apart % gridDim.x;
  const std::size_t i = part * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1u);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
