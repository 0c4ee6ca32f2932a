// SPDX-License-Identifier: MIT
// The tile is staged with uint4 stores into shared memory; then each warp counts a row of it into a table of its own.
#include "lab.hpp"

constexpr int kWarps = 8;
constexpr int kRowVectors = 32;  // a row of 512 bytes, one uint4 a lane

template <class Binning>
__global__ void __launch_bounds__(kWarps * 32)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* __restrict__ histo) {
  __shared__ uint4 stage[kWarps][kRowVectors];
  __shared__ unsigned int table[kWarps][Binning::bins];

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int b = lane; b < Binning::bins; b += 32) table[warp][b] = 0;

  constexpr std::size_t row_bytes = kRowVectors * sizeof(uint4);
  const std::size_t rows = length / row_bytes;
  const std::size_t all_warps = std::size_t{gridDim.x} * kWarps;
  const std::size_t me = std::size_t{blockIdx.x} * kWarps + warp;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % sizeof(uint4) == 0;
  __syncwarp();

  for (std::size_t row = me; row < rows; row += all_warps) {
    const unsigned char* source = data + row * row_bytes;
    unsigned char* bytes = reinterpret_cast<unsigned char*>(stage[warp]);
    if (aligned) {
      stage[warp][lane] = reinterpret_cast<const uint4*>(source)[lane];
    } else {
      for (int k = lane; k < static_cast<int>(row_bytes); k += 32) bytes[k] = source[k];
    }
    __syncwarp();
#pragma unroll 4
    for (int k = 0; k < static_cast<int>(row_bytes) / 32; ++k) {
      const int bin = Binning::bin_of(bytes[k * 32 + lane]);
      if (bin >= 0) atomicAdd(&table[warp][bin], 1u);
    }
    __syncwarp();  // the row is overwritten next
  }

  // What is left is shorter than a row.
  if (me == 0) {
    for (std::size_t i = rows * row_bytes + lane; i < length; i += 32) {
      const int bin = Binning::bin_of(data[i]);
      if (bin >= 0) atomicAdd(&table[warp][bin], 1u);
    }
  }
  __syncthreads();

  for (int b = threadIdx.x; b < Binning::bins; b += kWarps * 32) {
    unsigned int sum = 0;
    for (int w = 0; w < kWarps; ++w) sum += table[w][b];
    if (sum) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = kWarps * 32;
  const std::size_t tile = kWarps * kRowVectors * 16;
  const std::size_t enough = (length + tile - 1) / tile;
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
