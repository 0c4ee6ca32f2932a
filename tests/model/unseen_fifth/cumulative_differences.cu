// SPDX-License-Identifier: MIT
// Few bins: for each bin, how many bytes are in it or in one before it (four at a time by __vsetleu4, in
// one-byte sums); neighbouring counts differ by the histogram. Many bins: shared counters for even and odd
// lanes.
#include "lab.hpp"

constexpr int kThreads = 256;

template <class Binning>
__device__ __forceinline__ unsigned int bins_of_word(unsigned int word) {
  unsigned int four = 0;
#pragma unroll
  for (int k = 0; k < 32; k += 8)  // 0xff, behind all bins, for what is not counted
    four |= static_cast<unsigned int>(Binning::bin_of(static_cast<unsigned char>(word >> k)) & 0xff) << k;
  return four;
}

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  constexpr int bins = Binning::bins;
  constexpr bool few = bins <= 32;
  __shared__ unsigned int counts[few ? 1 : 2][bins];  // few: cumulative
  for (int i = threadIdx.x; i < (few ? 1 : 2) * bins; i += kThreads) counts[i / bins][i % bins] = 0;
  __syncthreads();

  const std::size_t thread = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * kThreads;
  const unsigned int* const words = reinterpret_cast<const unsigned int*>(data);
  const std::size_t rest = length / 4 * 4 + thread;

  if constexpr (few) {
    unsigned int below[bins] = {};  // four one-byte sums each
    unsigned room = 254;  // words until one of them could overflow; the rest of the input needs one more
    const auto empty = [&] {
#pragma unroll
      for (int b = 0; b < bins; ++b) {
        const unsigned int sum = __dp4a(below[b], 0x01010101u, 0u);
        if (sum > 0) atomicAdd(&counts[0][b], sum);
        below[b] = 0;
      }
      room = 254;
    };
    for (std::size_t w = thread; w < length / 4; w += threads) {
      const unsigned int four = bins_of_word<Binning>(words[w]);
#pragma unroll
      for (int b = 0; b < bins; ++b) below[b] += __vsetleu4(four, b * 0x01010101u);
      if (--room == 0) empty();
    }
    if (rest < length) {
      const int bin = Binning::bin_of(data[rest]);
#pragma unroll
      for (int b = 0; b < bins; ++b) below[b] += bin >= 0 && bin <= b ? 1u : 0u;
    }
    empty();
  } else {
    unsigned int* const mine = counts[threadIdx.x & 1];
    for (std::size_t w = thread; w < length / 4; w += threads) {
      const unsigned int word = words[w];
#pragma unroll
      for (int k = 0; k < 32; k += 8) {
        const int bin = Binning::bin_of(static_cast<unsigned char>(word >> k));
        if (bin >= 0) atomicAdd(&mine[bin], 1u);
      }
    }
    const int bin = rest < length ? Binning::bin_of(data[rest]) : -1;
    if (bin >= 0) atomicAdd(&mine[bin], 1u);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += kThreads) {
    unsigned int n = counts[0][b];
    if constexpr (few)
      n -= b > 0 ? counts[0][b - 1] : 0u;
    else
      n += counts[1][b];
    if (n > 0) atomicAdd(&histo[b], n);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * 64;
  const std::size_t need = (length + tile - 1) / tile;
  const std::size_t most = std::size_t{multiprocessors()} * 4;
  return {static_cast<unsigned>(need < most ? need : most), kThreads};
}
