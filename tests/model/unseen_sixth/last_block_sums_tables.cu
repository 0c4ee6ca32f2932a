// SPDX-License-Identifier: MIT
// Blocks add their shared counts to one of 32 tables in global memory; the block that finishes last sums the
// tables, writes the histogram, and clears tables and counter for the next launch. 512 threads, 16 bytes a
// load.
#include "lab.hpp"

constexpr unsigned tables = 32;

__device__ unsigned int partial[tables][256];
__device__ unsigned int blocks_done;

template <class Binning>
__device__ void count_word(unsigned int* counts, unsigned int word) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(word >> (8 * k)));
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ bool is_last;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = reinterpret_cast<std::uintptr_t>(data) % 16 == 0 ? length / 16 : 0;
  const uint4* quads = reinterpret_cast<const uint4*>(data);
  for (std::size_t v = thread; v < vectors; v += threads) {
    const uint4 quad = quads[v];
    count_word<Binning>(counts, quad.x);
    count_word<Binning>(counts, quad.y);
    count_word<Binning>(counts, quad.z);
    count_word<Binning>(counts, quad.w);
  }
  for (std::size_t i = vectors * 16 + thread; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();

  unsigned int* mine = partial[blockIdx.x % tables];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&mine[bin], counts[bin]);
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&blocks_done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;

  __threadfence();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned table = 0; table < tables; ++table) {
      sum += __ldcg(&partial[table][bin]);
      partial[table][bin] = 0;
    }
    histo[bin] = sum;
  }
  if (threadIdx.x == 0) blocks_done = 0;
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  const std::size_t enough = length / (block * 32) + 1;
  const std::size_t most =
      std::size_t{2} * multiprocessors() * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
