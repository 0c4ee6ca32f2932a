// SPDX-License-Identifier: MIT
// Lanes with the same bin let the lowest of them add for all, each warp into a table without atomics.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int warps = 4;
  __shared__ unsigned int tables[warps][Binning::bins];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int b = lane; b < Binning::bins; b += 32) tables[warp][b] = 0;
  __syncwarp();
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t rounded = (length + 31) / 32 * 32;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < rounded; i += stride) {
    const int bin = i < length ? Binning::bin_of(data[i]) : -1;
    const unsigned peers = __match_any_sync(0xffffffffu, bin);
    if (bin >= 0 && lane == __ffs(peers) - 1) tables[warp][bin] += __popc(peers);
    __syncwarp();
  }
  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += warps * 32) {
    unsigned int sum = 0;
#pragma unroll
    for (int w = 0; w < warps; ++w) sum += tables[w][b];
    if (sum) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) { return {160, 128}; }
