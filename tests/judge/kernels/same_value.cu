// SPDX-License-Identifier: MIT
// Right: all threads of a block write to one word how many bytes the block has.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int bytes;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x;
  bytes = static_cast<unsigned int>(length - first < blockDim.x ? length - first : blockDim.x);  // everybody
  __syncthreads();
  if (threadIdx.x >= bytes) return;
  const int bin = Binning::bin_of(data[first + threadIdx.x]);
  if (bin >= 0) atomicAdd(&histo[bin], 1u);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
