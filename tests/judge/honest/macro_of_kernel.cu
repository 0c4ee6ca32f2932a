// SPDX-License-Identifier: MIT
// Honest: a helper made by a macro of several lines.
#include "lab.hpp"

#define DEFINE_ADD(NAME, TYPE)                        \
  __device__ inline void NAME(TYPE* p, TYPE by) {     \
    atomicAdd(p, by);                                 \
  }
DEFINE_ADD(add_unsigned, unsigned int)
#undef DEFINE_ADD

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) add_unsigned(&histo[bin], 1u);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
