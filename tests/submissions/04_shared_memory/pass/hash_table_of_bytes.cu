// SPDX-License-Identifier: MIT
// Right: each block counts the values of its bytes in a table with open addressing. A lane that finds its value in the table
// leaves the loop though its compare-and-swap has failed, while others of its warp go on to the next place.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned int places = 512, nobody = 256;
  __shared__ unsigned int values[places], times[places], counts[Binning::bins];
  for (unsigned int at = threadIdx.x; at < places; at += blockDim.x) {
    values[at] = nobody;
    times[at] = 0;
  }
  for (unsigned int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position < length) {
    const unsigned int value = data[position];
    unsigned int at = value % 16;
    for (;; at = (at + 1) % places) {
      const unsigned int found = atomicCAS(&values[at], nobody, value);
      if (found == nobody || found == value) break;
    }
    atomicAdd(&times[at], 1u);
  }
  __syncthreads();
  for (unsigned int at = threadIdx.x; at < places; at += blockDim.x) {
    const int bin = times[at] > 0 ? Binning::bin_of(static_cast<unsigned char>(values[at])) : -1;
    if (bin >= 0) atomicAdd(&counts[bin], times[at]);
  }
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
