// SPDX-License-Identifier: MIT
// Wrong: the lane behind the last byte does not take part in the shuffle: what its neighbour gets is not defined.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
__shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  int mine = -1, other = -1;
  if (position < length) {
    mine = Binning::bin_of(data[position]);
    other = __shfl_xor_sync(__activemask(), mine, 1); 
  }
  if (mine >= 0) {
    if (mine == other) { if (threadIdx.x % 2 == 0) atomicAdd(&counts[mine], 2u); }
    else atomicAdd(&counts[mine], 1u);
  }
__syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}
LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
