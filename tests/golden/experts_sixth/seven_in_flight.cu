// SPDX-License-Identifier: MIT
// Seven warps, seven bytes of each thread under way, and a block for every 6,272 bytes: no loop over the
// grid, so that a long input has many small blocks, each of which commits.
#include "lab.hpp"

constexpr unsigned block_size = 224, in_flight = 7, turns = 4;
constexpr unsigned of_turn = block_size * in_flight, of_block = of_turn * turns;

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) counts[bin] = 0;
  __syncthreads();
  const std::size_t begin = std::size_t{blockIdx.x} * of_block;
  const unsigned here = length - begin < of_block ? static_cast<unsigned>(length - begin) : of_block;
  const unsigned char* const mine = data + begin;
  for (unsigned base = threadIdx.x; base < here; base += of_turn) {
    int bins[in_flight];
#pragma unroll
    for (unsigned k = 0; k < in_flight; ++k) {
      const unsigned at = base + k * block_size;
      bins[k] = at < here ? Binning::bin_of(__ldcs(mine + at)) : -1;
    }
#pragma unroll
    for (unsigned k = 0; k < in_flight; ++k) {
      if (bins[k] >= 0) atomicAdd(&counts[bins[k]], 1u);
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + of_block - 1) / of_block), block_size};
}
