// SPDX-License-Identifier: MIT
// Each warp takes a stretch of 8 KiB; its first 128 bytes, sampled by __match_any_sync, name a favourite bin.
// In the stretch, the lanes with the favourite are counted by a ballot and __popc; the others by shared
// atomics.
#include "lab.hpp"

constexpr unsigned kWarps = 8, kThreads = kWarps * 32;
constexpr unsigned kStretch = 8192;
constexpr unsigned kAll = 0xffffffffu;

template <class Binning>
__device__ __forceinline__ int favourite_of(const unsigned char* stretch, unsigned size, unsigned lane) {
  unsigned best = 0;  // how many lanes agree, then the bin + 1
  for (unsigned k = lane; k - lane < 128; k += 32) {
    const int bin = k < size ? Binning::bin_of(stretch[k]) : -1;
    const unsigned equals = __popc(__match_any_sync(kAll, bin));
    const unsigned vote = bin >= 0 ? equals << 16 | static_cast<unsigned>(bin + 1) : 0u;
    best = vote > best ? vote : best;
  }
  return static_cast<int>(__reduce_max_sync(kAll, best) & 0xffff) - 1;
}

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  constexpr int bins = Binning::bins;
  __shared__ unsigned int counts[bins];
  for (int b = threadIdx.x; b < bins; b += kThreads) counts[b] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32;
  const std::size_t begin = (std::size_t{blockIdx.x} * kWarps + threadIdx.x / 32) * kStretch;
  if (begin < length) {  // the same for the whole warp
    const unsigned size = static_cast<unsigned>(length - begin < kStretch ? length - begin : kStretch);
    const unsigned char* const stretch = data + begin;
    const unsigned int* const words = reinterpret_cast<const unsigned int*>(stretch);
    const int favourite = favourite_of<Binning>(stretch, size, lane);

    unsigned int hits = 0;  // the same in all lanes
    const auto count = [&](int bin) {
      const bool hit = bin >= 0 && bin == favourite;
      hits += __popc(__ballot_sync(kAll, hit));
      if (bin >= 0 && !hit) atomicAdd(&counts[bin], 1u);
    };
    const unsigned rows = size / 128;
#pragma unroll 4
    for (unsigned r = 0; r < rows; ++r) {
      const unsigned int word = words[r * 32 + lane];
#pragma unroll
      for (int k = 0; k < 32; k += 8) count(Binning::bin_of(static_cast<unsigned char>(word >> k)));
    }
    for (unsigned k = rows * 128; k < size; k += 32)
      count(k + lane < size ? Binning::bin_of(stretch[k + lane]) : -1);
    if (lane == 0 && hits > 0) atomicAdd(&counts[favourite], hits);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += kThreads)
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kWarps * kStretch;
  return {static_cast<unsigned>((length + tile - 1) / tile), kThreads};
}
