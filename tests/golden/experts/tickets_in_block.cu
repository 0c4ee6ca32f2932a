// SPDX-License-Identifier: MIT
// The warps of a block share a queue of pieces: lane 0 draws one by atomicSub_block, __shfl_sync tells the others.
#include "lab.hpp"

constexpr unsigned kPiece = 512;  // bytes
constexpr unsigned kPieces = 64;  // of a block

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ int left;

  const std::size_t begin = std::size_t{blockIdx.x} * kPiece * kPieces;
  if (threadIdx.x == 0) {
    const std::size_t rest = (length - begin + kPiece - 1) / kPiece;
    left = static_cast<int>(rest < kPieces ? rest : kPieces);
  }
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32;
  for (;;) {
    int piece = 0;
    if (lane == 0) piece = atomicSub_block(&left, 1) - 1;
    piece = __shfl_sync(0xffffffffu, piece, 0);
    if (piece < 0) break;
    const std::size_t from = begin + std::size_t(piece) * kPiece;
#pragma unroll 4
    for (unsigned k = lane; k < kPiece; k += 32) {
      const int bin = from + k < length ? Binning::bin_of(data[from + k]) : -1;
      if (bin >= 0) atomicAdd_block(&counts[bin], 1u);
    }
  }
  __syncthreads();

  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (counts[b]) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kPiece * kPieces;
  return {static_cast<unsigned>((length + tile - 1) / tile), 256};
}
