// SPDX-License-Identifier: MIT
// The block as 32 columns by 8 rows, the input as an image with rows of 1 KiB: a row of threads walks along
// one row of the image, the block goes down by eight. Each row of threads has a table; columns of the tables
// are added up.
#include "lab.hpp"

constexpr unsigned kColumns = 32, kRows = 8;
constexpr unsigned kPitch = 1024;          // bytes in a row of the image
constexpr unsigned kTileRows = 4 * kRows;  // rows of the image for a block

template <class Binning>
__global__ void __launch_bounds__(kColumns* kRows)
    histogram_kernel(const unsigned char* __restrict__ image, std::size_t length,
                     unsigned int* __restrict__ histo) {
  constexpr unsigned bins = Binning::bins;
  __shared__ unsigned int counts[kRows][bins];
  const unsigned tx = threadIdx.x % kColumns, ty = threadIdx.x / kColumns;
  for (unsigned b = tx; b < bins; b += kColumns) counts[ty][b] = 0;
  __syncthreads();

  const std::size_t height = (length + kPitch - 1) / kPitch;
  const std::size_t top = std::size_t{blockIdx.x} * kTileRows;
  for (unsigned dy = ty; dy < kTileRows; dy += kRows) {
    const std::size_t y = top + dy;
    if (y >= height) break;
    const unsigned char* const row = image + y * kPitch;
    const unsigned width = y + 1 < height ? kPitch : static_cast<unsigned>(length - y * kPitch);
#pragma unroll 2
    for (unsigned x = tx * 4; x < width; x += kColumns * 4) {
      uchar4 pixels = make_uchar4(0, 0, 0, 0);
      if (x + 4 <= width) {
        pixels = *reinterpret_cast<const uchar4*>(row + x);
      } else {
        pixels.x = row[x];
        if (x + 1 < width) pixels.y = row[x + 1];
        if (x + 2 < width) pixels.z = row[x + 2];
      }
      const unsigned here = width - x;
      const int b0 = Binning::bin_of(pixels.x), b1 = Binning::bin_of(pixels.y);
      const int b2 = Binning::bin_of(pixels.z), b3 = Binning::bin_of(pixels.w);
      if (b0 >= 0) atomicAdd(&counts[ty][b0], 1u);
      if (b1 >= 0 && here > 1) atomicAdd(&counts[ty][b1], 1u);
      if (b2 >= 0 && here > 2) atomicAdd(&counts[ty][b2], 1u);
      if (b3 >= 0 && here > 3) atomicAdd(&counts[ty][b3], 1u);
    }
  }
  __syncthreads();

  for (unsigned b = ty * kColumns + tx; b < bins; b += kColumns * kRows) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned r = 0; r < kRows; ++r) sum += counts[r][b];
    if (sum > 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = std::size_t{kPitch} * kTileRows;
  return {static_cast<unsigned>((length + tile - 1) / tile), kColumns * kRows};
}
