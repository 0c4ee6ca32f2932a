// SPDX-License-Identifier: MIT
// Honest: the shape from the device.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * resident_blocks(histogram_kernel<Bytes>, 256), 256}; }
