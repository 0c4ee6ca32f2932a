// SPDX-License-Identifier: MIT
// The input seen as an image of 1024 columns: a block, as 32 by 8 threads, counts squares of 32 by 32, so
// that a warp's load is one sector of 32 bytes.
#include "lab.hpp"

constexpr unsigned kColumns = 1024;
constexpr unsigned kSide = 32;
constexpr unsigned kHeight = 8;  // of the block, in threads
constexpr unsigned kAcross = kColumns / kSide;

struct Tile {
  unsigned column;
  std::size_t row;
};

__device__ Tile tile_of(std::size_t number) {
  return {static_cast<unsigned>(number % kAcross) * kSide, number / kAcross * kSide};
}

template <class Binning>
__global__ void __launch_bounds__(kSide* kHeight)
    histogram_kernel(const unsigned char* image, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[kHeight / 2][Binning::bins];
  const unsigned x = threadIdx.x % kSide, y = threadIdx.x / kSide;
  for (unsigned b = x; b < Binning::bins; b += kSide) {
    if (y < kHeight / 2) counts[y][b] = 0;
  }
  __syncthreads();

  const std::size_t tiles = (length + kColumns * kSide - 1) / (kColumns * kSide) * kAcross;
  for (std::size_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    const Tile tile = tile_of(t);
#pragma unroll
    for (unsigned row = y; row < kSide; row += kHeight) {
      const std::size_t pixel = (tile.row + row) * kColumns + tile.column + x;
      if (pixel < length) {
        const int bin = Binning::bin_of(image[pixel]);
        if (bin >= 0) atomicAdd(&counts[y / 2][bin], 1u);
      }
    }
  }
  __syncthreads();

  for (unsigned b = threadIdx.x; b < Binning::bins; b += kSide * kHeight) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned t = 0; t < kHeight / 2; ++t) sum += counts[t][b];
    if (sum > 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = kSide * kHeight;
  const std::size_t tiles = (length + kColumns * kSide - 1) / (kColumns * kSide) * kAcross;
  const std::size_t room = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(tiles < room ? tiles : room), block};
}
