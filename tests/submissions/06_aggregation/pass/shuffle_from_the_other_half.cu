// SPDX-License-Identifier: MIT
// Right: the lower half of each warp gets the runs of the upper half by shuffles.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned counts[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const std::size_t all = std::size_t{gridDim.x} * blockDim.x;
  const unsigned lane = threadIdx.x % 32;
  int current = -1;
  unsigned run = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i - lane < length; i += all) {
    const int bin = i < length ? Binning::bin_of(data[i]) : -1;
    int pred = 0;
    const unsigned everyone = __match_all_sync(~0u, bin, &pred);
    if (pred) {
      if (bin != current) {
        if (current >= 0 && run) atomicAdd(&counts[current], run);
        current = bin;
        run = 0;
      }
      run += bin >= 0;
    } else if (bin >= 0) {
      atomicAdd(&counts[bin], 1u);
    }
    (void)everyone;
  }
  // the warp's runs of equal bins are added up by the lower half
  unsigned more = __shfl_down_sync(~0u, run, 16);
  int theirs = __shfl_down_sync(~0u, current, 16);
  if (lane < 16) {
    if (theirs == current) run += more;
    else if (theirs >= 0 && more) atomicAdd(&counts[theirs], more);
    if (current >= 0 && run) atomicAdd(&counts[current], run);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t n = (length + 256 * 16 - 1) / (256 * 16);
  return {unsigned(n < 264 ? n : 264), 256};
}
