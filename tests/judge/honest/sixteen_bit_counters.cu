// SPDX-License-Identifier: MIT
// Honest: shared counters of 16 bits, two in a word.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned pairs[(Binning::bins + 1) / 2];
  for (int n = threadIdx.x; n < (Binning::bins + 1) / 2; n += blockDim.x) pairs[n] = 0;
  __syncthreads();
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&pairs[bin / 2], bin % 2 ? 65536u : 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (const unsigned count = pairs[bin / 2] >> (bin % 2 ? 16 : 0) & 0xffff) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
