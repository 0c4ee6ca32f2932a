// SPDX-License-Identifier: MIT
// Sixteen bytes at a load, taken apart by shifts; the rest byte by byte.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int local[Binning::bins];
  for (int i = threadIdx.x; i < Binning::bins; i += blockDim.x) local[i] = 0;
  __syncthreads();

  const size_t tid = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  const size_t vectors = length / 16;
  const uint4* v = reinterpret_cast<const uint4*>(data);
  for (size_t i = tid; i < vectors; i += stride) {
    const uint4 w = v[i];
    const unsigned int words[4] = {w.x, w.y, w.z, w.w};
    for (int k = 0; k < 4; ++k) {
      unsigned int word = words[k];
      for (int j = 0; j < 4; ++j) {
        const int bin = Binning::bin_of(word & 0xff);
        if (bin >= 0) atomicAdd(&local[bin], 1);
        word >>= 8;
      }
    }
  }
  for (size_t i = vectors * 16 + tid; i < length; i += stride) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&local[bin], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < Binning::bins; i += blockDim.x)
    if (local[i] != 0) atomicAdd(&histo[i], local[i]);
}

LaunchShape launch_shape(std::size_t length) { return {96, 256}; }
