// SPDX-License-Identifier: MIT
// Counts by compare-and-swap, in shared memory.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int bin = i < length ? Binning::bin_of(data[i]) : -1;
  unsigned expected = 0, old = 0;
  while (bin >= 0) {
    old = atomicCAS(&counts[bin], expected, expected + 1);
    if (old == expected) break;
    expected = old;
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
