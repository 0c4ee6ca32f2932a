// SPDX-License-Identifier: MIT
// Honest: vectors of two and four, by components and as a whole.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint4 ones = make_uint4(1, 1, 1, 1);
  uint2 pairs[2] = {make_uint2(ones.x, ones.y), make_uint2(ones.z, ones.w)};
  pairs[threadIdx.x % 2] = make_uint2(1, 0);
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], pairs[threadIdx.x % 2].x);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
