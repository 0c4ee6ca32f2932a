// SPDX-License-Identifier: MIT
// Blocks of a single warp. Lanes with equal bins find each other with match_any; one of them adds for all to
// a volatile table in shared memory, without atomics, and __syncwarp separates the steps. 4 bytes a load.
#include "lab.hpp"

constexpr unsigned warp = 32;
constexpr unsigned full_warp = 0xffffffffu;

// All lanes come here together; bin is -1 where there is nothing to count.
__device__ __forceinline__ void count_together(volatile unsigned int* counts, int bin) {
  const unsigned int peers = __match_any_sync(full_warp, bin);
  const unsigned int leader = __ffs(peers) - 1;
  if (bin >= 0 && threadIdx.x == leader) counts[bin] = counts[bin] + __popc(peers);
  __syncwarp();
}

template <class Binning>
__global__ void __launch_bounds__(warp)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ volatile unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += warp) counts[bin] = 0;
  __syncwarp();

  const std::size_t stride = std::size_t{gridDim.x} * warp;
  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 4 / warp * warp : 0;
  const unsigned int* source = reinterpret_cast<const unsigned int*>(data);
  for (std::size_t w = std::size_t{blockIdx.x} * warp; w < words; w += stride) {
    const unsigned int word = source[w + threadIdx.x];
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) {
      count_together(counts, Binning::bin_of(static_cast<unsigned char>(word >> shift)));
    }
  }
  for (std::size_t i = words * 4 + std::size_t{blockIdx.x} * warp; i < length; i += stride) {
    const std::size_t mine = i + threadIdx.x;
    count_together(counts, mine < length ? Binning::bin_of(data[mine]) : -1);
  }

  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += warp) {
    const unsigned int count = counts[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = length / 2048 + 1;
  const std::size_t most =
      std::size_t{4} * multiprocessors() * resident_blocks(histogram_kernel<Bytes>, warp);
  return {static_cast<unsigned>(enough < most ? enough : most), warp};
}
