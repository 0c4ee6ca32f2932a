// SPDX-License-Identifier: MIT
// Wrong: the last run of block 0 stays in memory that no launch clears.
// on a GPU: wrong_answer uncleared_counters
#include "lab.hpp"

__device__ unsigned int left;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  int current = -1;
  unsigned int run = 0;
  for (std::size_t i = thread; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin == current) {
      ++run;
      continue;
    }
    if (current >= 0) atomicAdd(&counts[current], run);
    current = bin;
    run = 1;
  }
  if (current >= 0) atomicAdd(&counts[current], run);
  if (thread == 0) atomicAdd(&counts[0], left);
  if (thread == 0) left = run;
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t bytes_of_block = 256 * 16;
  return {static_cast<unsigned>((length + bytes_of_block - 1) / bytes_of_block), 256};
}
