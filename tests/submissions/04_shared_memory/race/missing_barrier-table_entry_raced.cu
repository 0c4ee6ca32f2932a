// SPDX-License-Identifier: MIT
// Wrong: a table says where each bin is counted, and is looked at while other threads still write it. Where the byte is then
// counted is outside of all arrays, and comes of that.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins], place[Binning::bins];
  for (unsigned int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  for (unsigned int bin = blockDim.x - 1 - threadIdx.x; bin < Binning::bins; bin += blockDim.x) place[bin] = bin;
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int bin = position < length ? Binning::bin_of(data[position]) : -1;
  if (bin >= 0) {
    const unsigned int counted_at = place[bin];
    atomicAdd(&counts[counted_at], 1u);
  }
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) atomicAdd(&histo[bin], counts[bin]);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
