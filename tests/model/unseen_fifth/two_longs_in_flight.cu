// SPDX-License-Identifier: MIT
// Streaming loads (__ldcs) of ulonglong2, two of them under way a thread, for a tile of 8 KiB a block. The
// lower halves of the 64-bit words are counted in one table, the upper halves in another, all unrolled.
#include "lab.hpp"

constexpr unsigned kThreads = 256;
constexpr unsigned kVectors = 2 * kThreads;
constexpr unsigned kTile = kVectors * sizeof(ulonglong2);

template <class Binning>
__device__ __forceinline__ void count_long(unsigned int (*counts)[Binning::bins], unsigned long long word) {
  const unsigned int low = static_cast<unsigned int>(word), high = static_cast<unsigned int>(word >> 32);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int a = Binning::bin_of(static_cast<unsigned char>(low >> 8 * k));
    const int b = Binning::bin_of(static_cast<unsigned char>(high >> 8 * k));
    if (a >= 0) atomicAdd(&counts[0][a], 1u);
    if (b >= 0) atomicAdd(&counts[1][b], 1u);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                                 unsigned int* histo) {
  __shared__ unsigned int counts[2][Binning::bins];
  const std::size_t begin = std::size_t{blockIdx.x} * kTile;
  const bool whole = length - begin >= kTile;
  ulonglong2 a = {}, b = {};
  if (whole) {  // on their way while the counters are cleared
    const ulonglong2* const in = reinterpret_cast<const ulonglong2*>(data + begin);
    a = __ldcs(in + threadIdx.x);
    b = __ldcs(in + threadIdx.x + kThreads);
  }
  for (int i = threadIdx.x; i < 2 * Binning::bins; i += kThreads)
    counts[i / Binning::bins][i % Binning::bins] = 0;
  __syncthreads();

  if (whole) {
    count_long<Binning>(counts, a.x);
    count_long<Binning>(counts, a.y);
    count_long<Binning>(counts, b.x);
    count_long<Binning>(counts, b.y);
  } else {
    for (std::size_t i = begin + threadIdx.x; i < length; i += kThreads) {
      const int bin = Binning::bin_of(__ldcs(data + i));
      if (bin >= 0) atomicAdd(&counts[i & 1][bin], 1u);
    }
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < Binning::bins; bin += kThreads) {
    const unsigned int sum = counts[0][bin] + counts[1][bin];
    if (sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + kTile - 1) / kTile), kThreads};
}
