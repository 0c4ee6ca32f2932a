// SPDX-License-Identifier: MIT
// Blocks of one warp. `__match_any_sync` tells each lane which lanes have its bin; the lowest of them adds
// their number to the table, which no other lane touches in this step: plain additions in shared memory,
// ordered by `__syncwarp`.
#include "lab.hpp"

constexpr unsigned warp_size = 32;
constexpr unsigned full_mask = 0xffffffffu;

template <class Binning>
__device__ __forceinline__ void count_together(unsigned int* counts, int bin, unsigned lane) {
  const unsigned peers = __match_any_sync(full_mask, bin);
  const unsigned leader = __ffs(peers) - 1;
  if (bin >= 0 && lane == leader) counts[bin] += __popc(peers);
  __syncwarp();
}

template <class Binning>
__global__ void __launch_bounds__(warp_size)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  __shared__ unsigned int counts[Binning::bins];
  const unsigned lane = threadIdx.x;
  for (unsigned bin = lane; bin < Binning::bins; bin += warp_size) counts[bin] = 0;
  __syncwarp();

  const auto bin_at = [&](std::size_t i) { return i < length ? Binning::bin_of(data[i]) : -1; };
  const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(data) % 8;
  const std::size_t head = misaligned == 0 ? 0 : min(std::size_t{8} - misaligned, length);
  const std::size_t pairs = (length - head) / 8;
  const uint2* const pair = reinterpret_cast<const uint2*>(data + head);

  const std::size_t step = std::size_t{gridDim.x} * warp_size;
  std::size_t first = std::size_t{blockIdx.x} * warp_size;
  for (; first + warp_size <= pairs; first += step) {
    const uint2 eight = pair[first + lane];
#pragma unroll
    for (unsigned shift = 0; shift < 32; shift += 8) {
      count_together<Binning>(counts, Binning::bin_of(static_cast<unsigned char>(eight.x >> shift)), lane);
      count_together<Binning>(counts, Binning::bin_of(static_cast<unsigned char>(eight.y >> shift)), lane);
    }
  }
  // Fewer than 32 pairs are left, for one block, and up to 7 bytes at each end.
  if (first < pairs) {
    for (std::size_t i = head + first * 8; i < head + pairs * 8; i += warp_size) {
      const std::size_t mine = i + lane;
      count_together<Binning>(counts, mine < head + pairs * 8 ? bin_at(mine) : -1, lane);
    }
  }
  if (blockIdx.x + 1 == gridDim.x) {
    count_together<Binning>(counts, lane < head ? bin_at(lane) : -1, lane);
    count_together<Binning>(counts, bin_at(head + pairs * 8 + lane), lane);
  }
  for (unsigned bin = lane; bin < Binning::bins; bin += warp_size) {
    const unsigned int count = counts[bin];
    if (count != 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = warp_size * 8 * 4;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most = 32 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), warp_size};
}
