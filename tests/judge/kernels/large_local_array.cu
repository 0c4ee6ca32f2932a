// SPDX-License-Identifier: MIT
// Right: each thread takes its byte by way of 40 KiB of local memory.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned size = 40 * 1024;
  volatile unsigned char bytes[size];
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position >= length) return;
  bytes[position % size] = data[position];
  const int bin = Binning::bin_of(bytes[position % size]);
  if (bin >= 0) atomicAdd(&histo[bin], 1u);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
