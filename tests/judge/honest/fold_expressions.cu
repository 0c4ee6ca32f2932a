// SPDX-License-Identifier: MIT
// Honest: parameter packs and fold expressions.
#include "lab.hpp"

template <class... T>
__device__ constexpr auto sum(T... values) {
  return (values + ... + 0);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], sum(1, 2, 3) - 5);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
