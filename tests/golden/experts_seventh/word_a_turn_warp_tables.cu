// SPDX-License-Identifier: MIT
// A table for each of the eight warps, and a word of four bytes for each thread and turn, with nothing
// unrolled but the bytes of the word.
#include "lab.hpp"

constexpr int WARPS = 8;
constexpr int THREADS = WARPS * 32;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int tables[WARPS][Binning::bins];
  const int tid = threadIdx.x;
  for (int i = tid; i < WARPS * Binning::bins; i += THREADS) (&tables[0][0])[i] = 0;
  __syncthreads();

  unsigned int* table = tables[tid >> 5];
  const std::size_t first = std::size_t(blockIdx.x) * THREADS + tid;
  const std::size_t step = std::size_t(gridDim.x) * THREADS;
  std::size_t lead = (4 - reinterpret_cast<std::size_t>(data) % 4) % 4;
  if (lead > length) lead = length;
  const std::size_t words = (length - lead) / 4;
  const unsigned int* in = reinterpret_cast<const unsigned int*>(data + lead);

#pragma unroll 1
  for (std::size_t i = first; i < words; i += step) {
    unsigned int word = in[i];
#pragma unroll
    for (int k = 0; k < 4; ++k, word >>= 8) {
      const int bin = Binning::bin_of(static_cast<unsigned char>(word & 0xff));
      if (bin >= 0) atomicAdd(&table[bin], 1u);
    }
  }
  if (blockIdx.x == 0 && tid < 8) {  // up to three bytes in front, up to three behind
    const std::size_t at = tid < 4 ? std::size_t(tid) : lead + words * 4 + tid - 4;
    if (tid < 4 ? at < lead : at < length) {
      const int bin = Binning::bin_of(data[at]);
      if (bin >= 0) atomicAdd(&table[bin], 1u);
    }
  }
  __syncthreads();

  for (int bin = tid; bin < Binning::bins; bin += THREADS) {
    unsigned int sum = 0;
    for (int w = 0; w < WARPS; ++w) sum += tables[w][bin];
    if (sum) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t wanted = length / (THREADS * 32) + 1;
  const std::size_t most = 4 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(wanted < most ? wanted : most), THREADS};
}
