// SPDX-License-Identifier: MIT
// Every block has a range of the input, of which it draws pieces of 8 KiB. When its own is exhausted it helps
// eight others, at distances of 1, 2, 4 ... blocks, by drawing from theirs. The last block of all sets the
// counters back.
#include "lab.hpp"

constexpr unsigned block_size = 256, most_blocks = 1024, helped = 8;
constexpr unsigned piece_bytes = 8192, of_thread = piece_bytes / block_size / 16;

__device__ unsigned int drawn[most_blocks], finished;

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[4][Binning::bins];
  __shared__ unsigned int ticket;
  __shared__ bool last;
  for (unsigned k = threadIdx.x; k < 4 * Binning::bins; k += block_size) counts[0][k] = 0;
  unsigned int* const mine = counts[threadIdx.x / 32 % 4];
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
  const auto count = [&](unsigned int byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    if (bin >= 0) atomicAdd(mine + bin, 1u);
  };

  const std::size_t pieces = (length + piece_bytes - 1) / piece_bytes;
  for (unsigned k = 0; k <= helped; ++k) {
    const unsigned distance = k == 0 ? 0 : 1u << (k - 1);
    if (distance >= gridDim.x) break;
    const unsigned victim = (blockIdx.x + distance) % gridDim.x;
    const std::size_t first = pieces * victim / gridDim.x, behind = pieces * (victim + 1) / gridDim.x;
    while (true) {
      if (threadIdx.x == 0) ticket = atomicAdd(drawn + victim, 1u);
      __syncthreads();
      const std::size_t piece = first + ticket;
      __syncthreads();
      if (piece >= behind) break;
      const std::size_t begin = piece * piece_bytes;
      if (aligned && begin + piece_bytes <= length) {
        const uint4* const from = reinterpret_cast<const uint4*>(data + begin) + threadIdx.x;
        uint4 vectors[of_thread];
#pragma unroll
        for (unsigned j = 0; j < of_thread; ++j) vectors[j] = __ldcs(from + j * block_size);
#pragma unroll
        for (unsigned j = 0; j < of_thread; ++j) {
          const unsigned int words[4] = {vectors[j].x, vectors[j].y, vectors[j].z, vectors[j].w};
#pragma unroll
          for (unsigned i = 0; i < 16; ++i) count(words[i / 4] >> i % 4 * 8);
        }
      } else {
        const std::size_t end = begin + piece_bytes < length ? begin + piece_bytes : length;
        for (std::size_t at = begin + threadIdx.x; at < end; at += block_size) count(data[at]);
      }
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    const unsigned int sum = counts[0][bin] + counts[1][bin] + counts[2][bin] + counts[3][bin];
    if (sum > 0) atomicAdd(histo + bin, sum);
  }
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  for (unsigned k = threadIdx.x; k < gridDim.x; k += block_size) drawn[k] = 0;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t pieces = (length + piece_bytes - 1) / piece_bytes;
  std::size_t most = 4 * std::size_t{multiprocessors()};
  if (most > most_blocks) most = most_blocks;
  return {static_cast<unsigned>(pieces < most ? pieces : most), block_size};
}
