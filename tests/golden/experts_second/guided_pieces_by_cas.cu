// SPDX-License-Identifier: MIT
// Guided self-scheduling: a warp takes a fixed share of what is left of the input by a compare-and-swap loop
// on a cursor in global memory, so that pieces shrink from large to 1 KiB. The last block puts the cursor
// back.
#include "lab.hpp"

constexpr unsigned kThreads = 256;
constexpr unsigned long long kLeast = 1024;

__device__ unsigned long long cursor;
__device__ unsigned int blocks_finished;

struct Piece {
  unsigned long long begin, size;
};

__device__ Piece take_piece(unsigned long long length) {
  const unsigned long long share = 4ull * gridDim.x * (kThreads / 32);
  unsigned long long begin = atomicAdd(&cursor, 0ull);
  while (begin < length) {
    const unsigned long long left = length - begin;
    const unsigned long long wish = left / share / 32 * 32;
    const unsigned long long size = min(left, max(wish, kLeast));
    const unsigned long long found = atomicCAS(&cursor, begin, begin + size);
    if (found == begin) return {begin, size};
    begin = found;
  }
  return {length, 0};
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += kThreads) counts[b] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32;
  while (true) {
    Piece piece{};
    if (lane == 0) piece = take_piece(length);
    piece.begin = __shfl_sync(0xffffffffu, piece.begin, 0);
    piece.size = __shfl_sync(0xffffffffu, piece.size, 0);
    if (piece.size == 0) break;
    const unsigned char* const from = data + piece.begin;
#pragma unroll 4
    for (unsigned long long k = lane; k < piece.size; k += 32) {
      const int bin = Binning::bin_of(__ldg(from + k));
      if (bin >= 0) atomicAdd(&counts[bin], 1u);
    }
  }
  __syncthreads();

  if (threadIdx.x == 0 && atomicInc(&blocks_finished, gridDim.x - 1) == gridDim.x - 1)
    atomicExch(&cursor, 0ull);
  for (unsigned b = threadIdx.x; b < Binning::bins; b += kThreads) {
    const unsigned int n = counts[b];
    if (n > 0) atomicAdd(&histo[b], n);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 8 * kLeast - 1) / (8 * kLeast);
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(enough < room ? enough : room), kThreads};
}
