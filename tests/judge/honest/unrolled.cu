// SPDX-License-Identifier: MIT
// Honest: loops with #pragma unroll, also in _Pragma and with a macro's count.
// nvcc refuses it
#include "lab.hpp"

#define TIMES 4
#define UNROLL _Pragma("unroll")

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  (void)i;
  const std::size_t first = (blockIdx.x * blockDim.x + threadIdx.x) * TIMES;
#pragma unroll TIMES
  for (int j = 0; j < TIMES; ++j) {
    if (first + j < length) {
      const int bin = Binning::bin_of(data[first + j]);
      if (bin >= 0) atomicAdd(&histo[bin], 1);
    }
  }
  UNROLL
  for (int j = 0; j < 2; ++j) __syncthreads();
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 1023) / 1024), 256}; }
