// SPDX-License-Identifier: MIT
// A warp takes its smallest bin (__reduce_min_sync), one lane adds how many lanes have it, and they are done;
// after four such rounds the lanes that are left add for themselves.
#include "lab.hpp"

constexpr unsigned kAll = 0xffffffffu;
constexpr unsigned kNone = 0xffffffffu;
constexpr int kRounds = 4;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t base = std::size_t{blockIdx.x} * blockDim.x + (threadIdx.x - lane);
  while (base < length) {
    // Negative bins become kNone.
    unsigned key = base + lane < length ? static_cast<unsigned>(Binning::bin_of(data[base + lane])) : kNone;
    for (int round = 0; round < kRounds; ++round) {
      const unsigned smallest = __reduce_min_sync(kAll, key);
      if (smallest == kNone) break;
      const unsigned same = __ballot_sync(kAll, key == smallest);
      if (lane == __ffs(static_cast<int>(same)) - 1u)
        atomicAdd(&counts[smallest], static_cast<unsigned>(__popc(same)));
      if (key == smallest) key = kNone;
    }
    if (key != kNone) atomicAdd(&counts[key], 1u);
    base += stride;
  }
  __syncthreads();

  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (counts[b] > 0) atomicAdd(histo + b, counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 640;
  const std::size_t enough = (length + block * 8 - 1) / (block * 8);
  const std::size_t room = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < room ? enough : room), block};
}
