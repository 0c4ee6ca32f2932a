// SPDX-License-Identifier: MIT
// Wrong: a counter is looked at and, where it is not full, stored one higher: another thread's count between is lost.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  volatile unsigned int* const seen = counts;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) {
      const unsigned old = seen[bin];
      if (old < 0xffffffffu) seen[bin] = old + 1;
    }
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
