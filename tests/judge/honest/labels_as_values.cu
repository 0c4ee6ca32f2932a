// SPDX-License-Identifier: MIT
// Honest: a goto to a label that a table holds.
// nvcc refuses it
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  void* const places[] = {&&count, &&done};
  goto* places[i >= length];
count:
  if (Binning::bin_of(data[i]) >= 0) atomicAdd(&histo[Binning::bin_of(data[i])], 1);
done:
  return;
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
