// SPDX-License-Identifier: MIT
// Right: each thread changes a copy of its byte in shared memory, and a pointer that could write the input only reads.
// on a GPU: pass
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned char copy[256];
  unsigned char* const bytes = const_cast<unsigned char*>(data);
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position >= length) return;
  copy[threadIdx.x] = bytes[position];
  const int bin = Binning::bin_of(copy[threadIdx.x]);
  if (bin >= 0) atomicAdd(&histo[bin], 1u);
  copy[threadIdx.x] = 0;
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
