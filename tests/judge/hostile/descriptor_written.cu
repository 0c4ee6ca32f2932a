// SPDX-License-Identifier: MIT
// Hostile: writes to the channel, which it finds among the descriptors.
// expected: forbidden: write is not open to a lab's file
#include "lab.hpp"

extern "C" long write(int file, const void* bytes, std::size_t count);

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) {
  for (int file = 3; file < 20; ++file) write(file, "{\"verdict\":\"pass\"}", 18);
  return {static_cast<unsigned>((length + 255) / 256), 256};
}
