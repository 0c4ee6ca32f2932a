// SPDX-License-Identifier: MIT
// Lab 04: each block counts into a copy of the histogram in its shared memory. (PMPP, figure 9.10)
//
// `histo` holds Binning::bins counters in global memory, all zero before the launch. Shared memory is not zeroed:
// it holds whatever was there before.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  // TODO 1: declare an array of Binning::bins counters in shared memory.
  // <solution>
  __shared__ unsigned int counts[Binning::bins];
  // </solution>
  // TODO 2: set all of them to zero; the threads share the work, and there may be more bins than threads.
  // <solution>
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  // </solution>
  // TODO 3: wait until all of them are zero.
  // <solution>
  __syncthreads();
  // </solution>
  // TODO 4: count this thread's byte into the shared counters; threads beyond the input count nothing.
  // <solution>
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position < length) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  // </solution>
  // TODO 5: wait until every thread of the block has counted.
  // <solution>
  __syncthreads();
  // </solution>
  // TODO 6: commit: add the shared counters to `histo`, skipping those that are zero.
  // <solution>
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int count = counts[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
  // </solution>
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 7: launch one thread for each byte; every block commits once, so what does a larger block save?
  // <solution>
  constexpr unsigned block = 1024;
  return {static_cast<unsigned>((length + block - 1) / block), block};
  // </solution> return {1, 1};
}
