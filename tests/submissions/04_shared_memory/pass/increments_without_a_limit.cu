// SPDX-License-Identifier: MIT
// Right: atomicInc up to the largest number that there is.
#include "lab.hpp"
template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned counts[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int bin = position < length ? Binning::bin_of(data[position]) : -1;
  if (bin >= 0) atomicInc(&counts[bin], UINT_MAX);
  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
  }
}
LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
