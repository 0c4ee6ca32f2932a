// SPDX-License-Identifier: MIT
// A column of counters for each lane, so that no two lanes of a warp meet in a bank or a counter; the ten
// warps of the block share the columns. 32 KiB of dynamic shared memory limit the blocks of a multiprocessor.
#include "lab.hpp"

constexpr unsigned block_size = 320, lanes = 32;

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  extern __shared__ unsigned int columns[];
  for (unsigned k = threadIdx.x; k < Binning::bins * lanes; k += block_size) columns[k] = 0;
  __syncthreads();

  unsigned int* const mine = columns + threadIdx.x % lanes;
  const std::size_t stride = std::size_t{gridDim.x} * block_size;
  const unsigned char* from = data + std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const unsigned char* const end = data + length;
#pragma unroll 4
  for (; from < end; from += stride) {
    const int bin = Binning::bin_of(__ldcs(from));
    if (bin >= 0) atomicAdd(mine + bin * lanes, 1u);
  }
  __syncthreads();

  const unsigned warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  for (unsigned bin = warp; bin < Binning::bins; bin += block_size / lanes) {
    const unsigned int sum = __reduce_add_sync(0xffffffffu, columns[bin * lanes + lane]);
    if (lane == 0 && sum > 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t shared = Bytes::bins * lanes * sizeof(unsigned int);
  const std::size_t enough = (length + block_size * 24 - 1) / (block_size * 24);
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size, shared);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size, shared};
}
