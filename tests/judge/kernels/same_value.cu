// SPDX-License-Identifier: MIT
// Right: all threads of a block write the same length to one word.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ std::size_t bytes;
  bytes = length;  // everybody
  __syncthreads();
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position >= bytes) return;
  const int bin = Binning::bin_of(data[position]);
  if (bin >= 0) atomicAdd(&histo[bin], 1u);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
