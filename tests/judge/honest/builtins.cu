// SPDX-License-Identifier: MIT
// Honest: builtins that compute.
#include "lab.hpp"

#define likely(x) __builtin_expect(!!(x), 1)

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!likely(i < length)) return;
  if (__builtin_popcount(threadIdx.x) > 32 || __builtin_clz(1u) != 31) __builtin_unreachable();
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
