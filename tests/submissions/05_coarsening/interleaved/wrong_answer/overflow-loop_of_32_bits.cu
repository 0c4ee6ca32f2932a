// SPDX-License-Identifier: MIT
// Wrong: a loop over positions in an unsigned, which never comes to an end that lies behind 2^32.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 4095) / 4096;
  return {static_cast<unsigned>(enough < 1024 ? enough : 1024), 256};
}
