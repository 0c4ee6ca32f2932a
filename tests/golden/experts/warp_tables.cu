// SPDX-License-Identifier: MIT
// Each of eight warps has a table of its own in shared memory; the tables are added up at the end.
#include "lab.hpp"

constexpr int kWarps = 8;
constexpr int kBlock = kWarps * 32;

template <class Binning>
__global__ void __launch_bounds__(kBlock) histogram_kernel(const unsigned char* data, std::size_t length,
                                                           unsigned int* histo) {
  __shared__ unsigned int partial[kWarps][Binning::bins];

  const int warp = threadIdx.x >> 5;
  const int lane = threadIdx.x & 31;
  for (int b = lane; b < Binning::bins; b += 32) partial[warp][b] = 0;
  __syncwarp();

  const std::size_t stride = (std::size_t)gridDim.x * kBlock;
  for (std::size_t i = (std::size_t)blockIdx.x * kBlock + threadIdx.x; i < length; i += stride) {
    const int b = Binning::bin_of(data[i]);
    if (b >= 0) atomicAdd(&partial[warp][b], 1u);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < Binning::bins; b += kBlock) {
    unsigned int sum = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) sum += partial[w][b];
    if (sum != 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + kBlock * 16 - 1) / (kBlock * 16);
  const std::size_t cap = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kBlock);
  return {static_cast<unsigned>(tiles < cap ? tiles : cap), kBlock};
}
