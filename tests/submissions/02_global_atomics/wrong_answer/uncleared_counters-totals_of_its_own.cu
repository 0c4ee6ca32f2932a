// SPDX-License-Identifier: MIT
// Wrong: counters in memory of its own that nobody clears between launches.
// on a GPU: wrong_answer uncleared_counters
#include "lab.hpp"

__device__ unsigned int totals[256];

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position >= length) return;
  const int bin = Binning::bin_of(data[position]);
  if (bin >= 0) atomicMax(&histo[bin], atomicAdd(&totals[bin], 1u) + 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
