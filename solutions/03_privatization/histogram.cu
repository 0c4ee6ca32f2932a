// SPDX-License-Identifier: MIT
// Lab 03: each block counts into a copy of the histogram of its own, still in global memory. (PMPP, figures 9.8, 9.9)
//
// `histo` holds one copy for each block of the grid, one after another: gridDim.x * Binning::bins counters, all zero
// before the launch. The first copy, block 0's, is the result.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  // TODO 1: find where this block's own copy begins.
  // <solution>
  unsigned int* const own = histo + std::size_t{blockIdx.x} * Binning::bins;
  // </solution>
  // TODO 2: count this thread's byte into the block's own copy; threads beyond the input count nothing.
  // <solution>
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position < length) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) atomicAdd(&own[bin], 1u);
  }
  // </solution>
  // TODO 3: wait until every thread of the block has counted.
  // <solution>
  __syncthreads();
  // </solution>
  // TODO 4: in every block but block 0, let the threads share the bins and add the own copy to block 0's.
  // <solution>
  if (blockIdx.x == 0) return;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int count = own[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
  // </solution>
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 5: launch one thread for each byte.
  // <solution>
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + block - 1) / block), block};
  // </solution> return {1, 1};
}
