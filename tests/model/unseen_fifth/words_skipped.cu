// SPDX-License-Identifier: MIT
// The block first finds the lowest and the highest byte that is counted. A word without a byte between the
// two (one test with __vcmpgeu4 and __vcmpleu4) is skipped; in the others, only the bytes that passed are
// looked at, one by one.
#include "lab.hpp"

constexpr unsigned kThreads = 256;

template <class Binning>
__device__ __forceinline__ void count_word(unsigned int* counts, unsigned int word, unsigned int low,
                                           unsigned int high) {
  unsigned int in_range = __vcmpgeu4(word, low) & __vcmpleu4(word, high) & 0x80808080u;
  if (in_range == 0) return;
  while (in_range != 0) {
    const int top = __ffs(in_range) - 1;  // 7, 15, 23 or 31
    in_range &= in_range - 1;
    const int bin = Binning::bin_of(static_cast<unsigned char>(word >> (top - 7) & 0xff));
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
}

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ unsigned int lowest, highest;
  for (int b = threadIdx.x; b < Binning::bins; b += kThreads) counts[b] = 0;
  if (threadIdx.x == 0) lowest = 255, highest = 0;
  __syncthreads();
  if (Binning::bin_of(static_cast<unsigned char>(threadIdx.x)) >= 0) {  // 256 threads, 256 bytes
    atomicMin(&lowest, threadIdx.x);
    atomicMax(&highest, threadIdx.x);
  }
  __syncthreads();
  const unsigned int low = lowest * 0x01010101u, high = highest * 0x01010101u;

  const std::size_t thread = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * kThreads;
  const uint4* const in = reinterpret_cast<const uint4*>(data);
  for (std::size_t i = thread; i < length / 16; i += threads) {
    const uint4 v = __ldg(in + i);
    count_word<Binning>(counts, v.x, low, high);
    count_word<Binning>(counts, v.y, low, high);
    count_word<Binning>(counts, v.z, low, high);
    count_word<Binning>(counts, v.w, low, high);
  }
  const std::size_t rest = length / 16 * 16 + thread;
  if (rest < length) {
    const int bin = Binning::bin_of(data[rest]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += kThreads)
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * 32;
  const std::size_t need = (length + tile - 1) / tile;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(need < room ? need : room), kThreads};
}
