// SPDX-License-Identifier: MIT
// Wrong: two counters of 16 bits in a word, and four blocks for all bytes, however many of them are equal.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int words = (Binning::bins + 1) / 2;
  __shared__ unsigned packed[words];
  for (int w = threadIdx.x; w < words; w += blockDim.x) packed[w] = 0;
  __syncthreads();
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < length; i += std::size_t{gridDim.x} * blockDim.x) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&packed[bin >> 1], bin & 1 ? 0x10000u : 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    const unsigned count = packed[b / 2] >> (b % 2 * 16) & 0xffffu;
    if (count != 0) atomicAdd(histo + b, count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t n = (length + 1023) / 1024;
  return {unsigned(n < 4 ? n : 4), 1024};
}
