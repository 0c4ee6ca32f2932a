// SPDX-License-Identifier: MIT
// A warp sorts its 32 bins by one stable split for each bit (__ballot_sync and __popc give the places); the first lane
// of each run then adds the run's length.
#include "lab.hpp"

constexpr unsigned kAll = 0xffffffffu;
constexpr unsigned kWarps = 4;

__host__ __device__ constexpr int bits_of(unsigned n) { return n == 0 ? 0 : 1 + bits_of(n / 2); }

template <int Bits>
__device__ unsigned int split_sort(unsigned int key, unsigned int* slots, unsigned lane) {
  const unsigned below = (1u << lane) - 1;
#pragma unroll
  for (int bit = 0; bit < Bits; ++bit) {
    const bool one = (key >> bit) & 1;
    const unsigned ones = __ballot_sync(kAll, one);
    if (ones == 0 || ones == kAll) continue;  // nothing would move
    const int place = one ? 32 - __popc(ones) + __popc(ones & below) : __popc(~ones & below);
    slots[place] = key;
    __syncwarp();
    key = slots[lane];
    __syncwarp();
  }
  return key;
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned bins = Binning::bins;
  __shared__ unsigned int slots[kWarps][32];
  __shared__ unsigned int counts[bins];
  for (unsigned b = threadIdx.x; b < bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::size_t stride = std::size_t{gridDim.x} * kWarps * 32;
  for (std::size_t base = (std::size_t{blockIdx.x} * kWarps + warp) * 32; base < length; base += stride) {
    const int bin = base + lane < length ? Binning::bin_of(data[base + lane]) : -1;
    const unsigned int key =
        split_sort<bits_of(bins)>(bin < 0 ? bins : static_cast<unsigned>(bin), slots[warp], lane);

    const unsigned int before = __shfl_up_sync(kAll, key, 1);
    const bool head = lane == 0 || before != key;
    const unsigned heads = __ballot_sync(kAll, head);
    if (head && key < bins) {
      const unsigned later = heads & ~(2 * (1u << lane) - 1);
      const unsigned end = later != 0 ? __ffs(later) - 1 : 32;
      atomicAdd(&counts[key], end - lane);
    }
  }
  __syncthreads();

  for (unsigned b = threadIdx.x; b < bins; b += blockDim.x)
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = kWarps * 32;
  const std::size_t blocks = (length + block * 16 - 1) / (block * 16);
  const std::size_t most = std::size_t{multiprocessors()} * 16;
  return {static_cast<unsigned>(blocks < most ? blocks : most), block};
}
