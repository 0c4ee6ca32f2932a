// SPDX-License-Identifier: MIT
// Blocks of 96 threads, 12 bytes a thread by three loads of a word: a tile of 1152 bytes. Three tables, but
// not one a warp: the k-th word of every thread goes to table k.
#include "lab.hpp"

constexpr unsigned kThreads = 96;
constexpr unsigned kTile = kThreads * 12;

template <class Binning>
__device__ __forceinline__ void add_word(unsigned int* table, unsigned int word) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(word & 0xff));
    word >>= 8;
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
}

template <class Binning>
__global__ void __launch_bounds__(kThreads, 16)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned bins = Binning::bins;
  __shared__ unsigned int table[3][bins];
  for (unsigned b = threadIdx.x; b < bins; b += kThreads) table[0][b] = table[1][b] = table[2][b] = 0;
  __syncthreads();

  const std::size_t whole = length / kTile;
  for (std::size_t tile = blockIdx.x; tile < whole; tile += gridDim.x) {
    const unsigned int* const words =
        reinterpret_cast<const unsigned int*>(data + tile * kTile) + threadIdx.x;
    const unsigned int w0 = words[0], w1 = words[kThreads], w2 = words[2 * kThreads];
    add_word<Binning>(table[0], w0);
    add_word<Binning>(table[1], w1);
    add_word<Binning>(table[2], w2);
  }
  if (whole % gridDim.x == blockIdx.x) {  // whose turn the tile that is not whole would be
    for (std::size_t i = whole * kTile + threadIdx.x; i < length; i += kThreads) {
      const int bin = Binning::bin_of(data[i]);
      if (bin >= 0) atomicAdd(&table[i % 3][bin], 1u);
    }
  }
  __syncthreads();

  for (unsigned b = threadIdx.x; b < bins; b += kThreads) {
    const unsigned int sum = table[0][b] + table[1][b] + table[2][b];
    if (sum > 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t share = std::size_t{kTile} * 8;
  const std::size_t need = (length + share - 1) / share;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(need < room ? need : room), kThreads};
}
