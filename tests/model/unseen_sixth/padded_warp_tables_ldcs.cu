// SPDX-License-Identifier: MIT
// A table for each of the block's eight warps, the rows padded to an odd length so that equal bins of
// different warps lie in different banks. Loads of 8 bytes with the streaming hint, four of them under way.
#include "lab.hpp"

constexpr unsigned warps = 8;
constexpr unsigned under_way = 4;

template <class Binning>
__device__ __forceinline__ void count_byte(unsigned int* table, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  if (bin >= 0) atomicAdd(&table[bin], 1u);
}

template <class Binning>
__device__ __forceinline__ void count_pair(unsigned int* table, uint2 pair) {
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8) {
    count_byte<Binning>(table, static_cast<unsigned char>(pair.x >> shift));
    count_byte<Binning>(table, static_cast<unsigned char>(pair.y >> shift));
  }
}

template <class Binning>
__global__ void __launch_bounds__(32 * warps)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned row = Binning::bins | 1;
  __shared__ unsigned int tables[warps * row];
  for (unsigned k = threadIdx.x; k < warps * row; k += blockDim.x) tables[k] = 0;
  __syncthreads();

  unsigned int* table = tables + threadIdx.x / 32 * row;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t vectors = reinterpret_cast<std::uintptr_t>(data) % 8 == 0 ? length / 8 : 0;
  const uint2* pairs = reinterpret_cast<const uint2*>(data);
  std::size_t v = thread;
  for (; v + (under_way - 1) * threads < vectors; v += under_way * threads) {
    uint2 loaded[under_way];
#pragma unroll
    for (unsigned k = 0; k < under_way; ++k) loaded[k] = __ldcs(&pairs[v + k * threads]);
#pragma unroll
    for (unsigned k = 0; k < under_way; ++k) count_pair<Binning>(table, loaded[k]);
  }
  for (; v < vectors; v += threads) count_pair<Binning>(table, __ldcs(&pairs[v]));
  for (std::size_t i = vectors * 8 + thread; i < length; i += threads) count_byte<Binning>(table, data[i]);

  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned warp = 0; warp < warps; ++warp) sum += tables[warp * row + bin];
    if (sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 32 * warps;
  const std::size_t enough = length / (block * 8 * under_way) + 1;
  const std::size_t resident =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
