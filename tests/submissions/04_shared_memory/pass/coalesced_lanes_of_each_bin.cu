// SPDX-License-Identifier: MIT
// Right: in each round of the loop the lanes with this bin add up; those of other rounds are none of them.
#include <cooperative_groups.h>
#include "lab.hpp"
namespace cg = cooperative_groups;
template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned counts[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int bin = position < length ? Binning::bin_of(data[position]) : -1;
  for (int b = 0; b < Binning::bins; ++b) {
    if (bin == b) {
      const cg::coalesced_group equal = cg::coalesced_threads();
      if (equal.thread_rank() == 0) atomicAdd(&counts[b], equal.size());
    }
  }
  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
  }
}
LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
