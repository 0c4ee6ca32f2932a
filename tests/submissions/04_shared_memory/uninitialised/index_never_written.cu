// SPDX-License-Identifier: MIT
// Wrong: a table says where each bin is counted, but its first entry is never written. Where the byte is then counted is
// outside of all arrays, and comes of that.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins], place[Binning::bins];
  for (unsigned int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    counts[bin] = 0;
    if (bin > 0) place[bin] = Binning::bins - 1 - bin;
  }
  __syncthreads();
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int bin = position < length ? Binning::bin_of(data[position]) : -1;
  if (bin >= 0) atomicAdd(&counts[place[bin]], 1u);
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) atomicAdd(&histo[bin], counts[place[bin]]);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
