// SPDX-License-Identifier: MIT
// Right: a compiler may write the code of one line twice, and so make two barriers of one. This line does it by hand.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (threadIdx.x < 128) { __syncthreads(); } else { atomicAdd(&histo[0], 0u); __syncthreads(); }
  if (position >= length) return;
  const int bin = Binning::bin_of(data[position]);
  if (bin >= 0) atomicAdd(&histo[bin], 1u);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
