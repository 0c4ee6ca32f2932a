// SPDX-License-Identifier: MIT
// The lanes of a warp that have the same bin find each other with __match_any_sync, and the lowest of them
// adds their number to the block's shared counter. Four rounds of bytes are loaded before the first is
// matched.
#include "lab.hpp"

constexpr unsigned full_warp = 0xffffffffu;
constexpr int rounds = 4;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                                 unsigned int* __restrict__ histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x & 31;
  const std::size_t warp = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) >> 5;
  const std::size_t warps = (std::size_t{gridDim.x} * blockDim.x) >> 5;
  for (std::size_t base = warp * (32 * rounds); base < length; base += warps * (32 * rounds)) {
    int bins[rounds];
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      const std::size_t at = base + r * 32 + lane;
      bins[r] = at < length ? Binning::bin_of(__ldg(data + at)) : -1;
    }
#pragma unroll
    for (int r = 0; r < rounds; ++r) {
      const unsigned peers = __match_any_sync(full_warp, bins[r]);
      const bool leader = static_cast<unsigned>(__ffs(static_cast<int>(peers)) - 1) == lane;
      if (leader && bins[r] >= 0) atomicAdd(&counts[bins[r]], static_cast<unsigned>(__popc(peers)));
    }
  }
  __syncthreads();

  for (int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin]) atomicAdd(histo + bin, counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;  // whole warps, the matches need them
  constexpr std::size_t bytes_of_block = block * rounds;
  const std::size_t wanted = (length + bytes_of_block - 1) / bytes_of_block;
  const std::size_t most = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(wanted < most ? wanted : most), block};
}
