// SPDX-License-Identifier: MIT
// Grid-stride loop with two register buffers of two uint4 each that take turns: while one pair is counted,
// the loads of the other are under way. The loop body handles both turns, so that no registers are copied.
#include "lab.hpp"

constexpr unsigned kThreads = 256;

struct Pair {
  uint4 a, b;
  bool has_a = false, has_b = false;
};

__device__ __forceinline__ void fetch(Pair& p, const uint4* in, std::size_t i, std::size_t step,
                                      std::size_t n) {
  p.has_a = i < n;
  p.has_b = i + step < n;
  if (p.has_a) p.a = __ldg(in + i);
  if (p.has_b) p.b = __ldg(in + i + step);
}

template <class Binning>
__device__ __forceinline__ void count16(unsigned int* counts, const uint4& v) {
  const unsigned int word[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (int w = 0; w < 4; ++w) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int bin = Binning::bin_of(static_cast<unsigned char>(__byte_perm(word[w], 0, 0x4440 + k)));
      if (bin >= 0) atomicAdd(counts + bin, 1u);
    }
  }
}

template <class Binning>
__device__ __forceinline__ void consume(unsigned int* counts, const Pair& p) {
  if (p.has_a) count16<Binning>(counts, p.a);
  if (p.has_b) count16<Binning>(counts, p.b);
}

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  __shared__ unsigned int counts[4][Binning::bins];
  for (unsigned i = threadIdx.x; i < 4 * Binning::bins; i += kThreads) (&counts[0][0])[i] = 0;
  __syncthreads();
  unsigned int* const mine = counts[threadIdx.x / 32 & 3];

  const std::size_t n = length / 16, step = std::size_t{gridDim.x} * kThreads;
  const std::size_t first = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const uint4* const in = reinterpret_cast<const uint4*>(data);
  Pair even, odd;
  fetch(even, in, first, step, n);
  for (std::size_t i = first; i < n; i += 4 * step) {
    fetch(odd, in, i + 2 * step, step, n);
    consume<Binning>(mine, even);
    fetch(even, in, i + 4 * step, step, n);
    consume<Binning>(mine, odd);
  }
  const std::size_t rest = n * 16 + first;
  if (rest < length) {
    const int bin = Binning::bin_of(data[rest]);
    if (bin >= 0) atomicAdd(mine + bin, 1u);
  }
  __syncthreads();

  for (unsigned b = threadIdx.x; b < Binning::bins; b += kThreads) {
    const unsigned int sum = counts[0][b] + counts[1][b] + counts[2][b] + counts[3][b];
    if (sum > 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * 64;
  const std::size_t need = (length + tile - 1) / tile;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(need < room ? need : room), kThreads};
}
