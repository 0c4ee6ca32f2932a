// SPDX-License-Identifier: MIT
// Honest: code for nvcc and for others.
#include "lab.hpp"

#if defined(__CUDACC__) && __CUDACC_VER_MAJOR__ >= 12
#define KERNEL_ONLY __device__
#elif 0
#error "never"
#else
#define KERNEL_ONLY __device__
#endif
#ifndef __restrict__
#endif

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const int nothing = 0;
  if (nothing) return;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
