// SPDX-License-Identifier: MIT
// Bytes in the bin of a chunk's first byte cost nothing: its counter begins with the size of the chunk, and each warp
// subtracts once (atomicSub) what it saw of other bins. The others are counted by shared atomics.
#include "lab.hpp"

constexpr unsigned kThreads = 192;
constexpr unsigned kChunk = kThreads * 32;

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* __restrict__ histo) {
  constexpr int bins = Binning::bins;
  __shared__ unsigned int counts[bins + 1];  // the last one is for bytes that are not counted

  const std::size_t begin = std::size_t{blockIdx.x} * kChunk;
  const unsigned size = static_cast<unsigned>(length - begin < kChunk ? length - begin : kChunk);
  const unsigned char* const chunk = data + begin;
  const int guess = Binning::bin_of(chunk[0]);  // the same byte for all threads
  const int favourite = guess < 0 ? bins : guess;

  for (int b = threadIdx.x; b <= bins; b += kThreads) counts[b] = b == favourite ? size : 0;
  __syncthreads();

  unsigned int others = 0;
#pragma unroll 4
  for (unsigned k = threadIdx.x; k < size; k += kThreads) {
    const int bin = Binning::bin_of(chunk[k]);
    if (bin == guess) continue;
    ++others;
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncwarp();
  others = __reduce_add_sync(0xffffffffu, others);
  if (threadIdx.x % 32 == 0 && others > 0) atomicSub(&counts[favourite], others);
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += kThreads) {
    const unsigned int n = counts[b];
    if (n > 0) atomicAdd(&histo[b], n);
  }
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + kChunk - 1) / kChunk), kThreads};
}
