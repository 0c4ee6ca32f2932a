// SPDX-License-Identifier: MIT
// Every lane owns the bins with its number modulo 32: a warp loads 32 bytes, then passes the bins around by __shfl_sync.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int rows = (Binning::bins + 31) / 32;
  const int lane = threadIdx.x & 31;
  const std::size_t warp = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  const std::size_t warps = std::size_t{gridDim.x} * (blockDim.x / 32);

  unsigned int owned[rows];
#pragma unroll
  for (int r = 0; r < rows; ++r) owned[r] = 0;

  for (std::size_t base = warp * 32; base < length; base += warps * 32) {
    const int bin = base + lane < length ? Binning::bin_of(data[base + lane]) : -1;
#pragma unroll 4
    for (int from = 0; from < 32; ++from) {
      const int other = __shfl_sync(0xffffffffu, bin, from);
      if (other >= 0 && (other & 31) == lane) {
        // The row is only known at run time; compare with each so that the counters stay in registers.
#pragma unroll
        for (int r = 0; r < rows; ++r) owned[r] += (other >> 5) == r;
      }
    }
  }

  __shared__ unsigned int sums[rows][32];
  if (threadIdx.x < 32) {
    for (int r = 0; r < rows; ++r) sums[r][threadIdx.x] = 0;
  }
  __syncthreads();
  for (int r = 0; r < rows; ++r)
    if (owned[r] != 0) atomicAdd(&sums[r][lane], owned[r]);
  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    const unsigned int n = sums[b / 32][b % 32];
    if (n != 0) atomicAdd(&histo[b], n);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t blocks = (length + block * 8 - 1) / (block * 8);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(blocks < resident ? blocks : resident), block};
}
