// SPDX-License-Identifier: MIT
// Hostile: a kernel that is none for nvcc, which launches only what is __global__.
// expected: forbidden: a macro must not have the name __global__
// on a GPU: build_error: error: calling a __device__ function(...
#include "lab.hpp"

#undef __global__
#define __global__ inline

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position < length) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) atomicAdd(&histo[bin], 1u);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
