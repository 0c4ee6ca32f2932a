// SPDX-License-Identifier: MIT
// Each lane owns the bins lane, lane + 32, ... in registers, and the warp's bytes are handed round by
// shuffles.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int rows = (Binning::bins + 31) / 32;
  unsigned own[rows] = {};
  const int lane = threadIdx.x % 32;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; base < length;
       base += threads) {
    const int bin = base + lane < length ? Binning::bin_of(data[base + lane]) : -1;
    for (int from = 0; from < 32; ++from) {
      const int other = __shfl_sync(~0u, bin, from);
      for (int row = 0; row < rows; ++row) own[row] += other == 32 * row + lane;
    }
  }
  for (int row = 0; row < rows; ++row)
    if (own[row] > 0) atomicAdd(&histo[32 * row + lane], own[row]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 8, 256}; }
