// SPDX-License-Identifier: MIT
// Each thread walks 32 bytes of its own: an inner loop runs on while the bin stays the same, then one atomic.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int s[Binning::bins];
  for (int i = threadIdx.x; i < Binning::bins; i += blockDim.x) s[i] = 0;
  __syncthreads();

  const int segment = 32;
  size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * segment;
  const size_t end = min(i + segment, length);

  while (i < end) {
    const int bin = Binning::bin_of(data[i]);
    unsigned int run = 1;
    while (++i < end && Binning::bin_of(data[i]) == bin) ++run;
    if (bin >= 0) atomicAdd(&s[bin], run);
  }

  __syncthreads();
  for (int i = threadIdx.x; i < Binning::bins; i += blockDim.x)
    if (s[i] > 0) atomicAdd(&histo[i], s[i]);
}

LaunchShape launch_shape(std::size_t length) {
  const unsigned block = 256;
  const std::size_t tile = block * 32;
  return {static_cast<unsigned>((length + tile - 1) / tile), block};
}
