// SPDX-License-Identifier: MIT
// Software pipelining: the uint4 of the next round is on its way into registers while that of this round is counted.
// Scalar head up to the first 16-byte boundary, scalar tail.
#include "lab.hpp"

#define BLOCK 256
#define ROUNDS 4  // that a thread has at least, where the input is long enough

template <class Binning>
__device__ __forceinline__ void count_byte(unsigned int* counts, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  if (bin >= 0) atomicAdd(&counts[bin], 1u);
}

template <class Binning>
__device__ __forceinline__ void count_vector(unsigned int* counts, const uint4& v) {
  const unsigned int word[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (int k = 0; k < 16; ++k) count_byte<Binning>(counts, (word[k / 4] >> (k % 4 * 8)) & 0xff);
}

template <class Binning>
__global__ void __launch_bounds__(BLOCK, 4)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* __restrict__ histo) {
  __shared__ unsigned int counts[2][Binning::bins];  // for even and odd warps
  for (int b = threadIdx.x; b < Binning::bins; b += BLOCK) counts[0][b] = counts[1][b] = 0;
  __syncthreads();
  unsigned int* const mine = counts[(threadIdx.x >> 5) & 1];

  std::size_t head = (16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16;
  if (head > length) head = length;
  const std::size_t vectors = (length - head) / 16;
  const uint4* const body = reinterpret_cast<const uint4*>(data + head);
  const std::size_t stride = std::size_t{gridDim.x} * BLOCK;

  std::size_t i = std::size_t{blockIdx.x} * BLOCK + threadIdx.x;
  if (i < vectors) {
    uint4 now = body[i];
    for (i += stride; i < vectors; i += stride) {
      const uint4 next = body[i];
      count_vector<Binning>(mine, now);
      now = next;
    }
    count_vector<Binning>(mine, now);
  }

  // The last block has the least to do.
  if (blockIdx.x == gridDim.x - 1) {
    if (threadIdx.x < head) count_byte<Binning>(mine, data[threadIdx.x]);
    const std::size_t tail = head + vectors * 16 + threadIdx.x;
    if (tail < length) count_byte<Binning>(mine, data[tail]);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < Binning::bins; b += BLOCK) {
    const unsigned int sum = counts[0][b] + counts[1][b];
    if (sum != 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = BLOCK * 16 * ROUNDS;
  const std::size_t blocks = (length + tile - 1) / tile, most = std::size_t{multiprocessors()} * 4;
  return {static_cast<unsigned>(blocks < most ? blocks : most), BLOCK};
}
