// SPDX-License-Identifier: MIT
// Three butterfly steps over a warp: where two partners have the same bin, the lower lane takes over the
// count of the upper one. Selects instead of branches, up to the atomic.
#include "lab.hpp"

constexpr unsigned everyone = 0xffffffffu;

template <int steps>
__device__ __forceinline__ unsigned int merged(int bin, unsigned int count, unsigned lane) {
#pragma unroll
  for (int step = 0; step < steps; ++step) {
    const int other = __shfl_xor_sync(everyone, bin, 1 << step);
    const unsigned int others = __shfl_xor_sync(everyone, count, 1 << step);
    const bool lower = (lane >> step & 1) == 0;
    count = other != bin ? count : lower ? count + others : 0u;
  }
  return count;
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32;
  const std::size_t warps = std::size_t{gridDim.x} * (blockDim.x / 32);
  const std::size_t rows = (length + 31) / 32;
  for (std::size_t row = std::size_t{blockIdx.x} * (blockDim.x / 32) + threadIdx.x / 32; row < rows;
       row += warps) {
    const std::size_t i = row * 32 + lane;
    const int bin = i < length ? Binning::bin_of(data[i]) : -1;
    const unsigned int count = merged<3>(bin, bin >= 0 ? 1u : 0u, lane);
    if (count > 0) atomicAdd(&counts[bin], count);
  }
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int count = counts[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 768;
  const std::size_t enough = (length + block * 12 - 1) / (block * 12);
  const std::size_t most = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
