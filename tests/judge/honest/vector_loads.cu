// SPDX-License-Identifier: MIT
// Honest: uint4 loads through a pointer that is cast.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t words = length / 16, step = gridDim.x * blockDim.x;
  const std::size_t first = blockIdx.x * blockDim.x + threadIdx.x;
  if (reinterpret_cast<std::uintptr_t>(data) % 16 == 0) {
    for (std::size_t w = first; w < words; w += step) {
      const uint4 four = reinterpret_cast<const uint4*>(data)[w];
      const unsigned parts[4] = {four.x, four.y, four.z, four.w};
      for (int b = 0; b < 16; ++b) {
        const int bin = Binning::bin_of(parts[b / 4] >> (8 * (b % 4)) & 255);
        if (bin >= 0) atomicAdd(&histo[bin], 1);
      }
    }
    for (std::size_t i = words * 16 + first; i < length; i += step) {
      const int bin = Binning::bin_of(data[i]);
      if (bin >= 0) atomicAdd(&histo[bin], 1);
    }
  } else {
    for (std::size_t i = first; i < length; i += step) {
      const int bin = Binning::bin_of(data[i]);
      if (bin >= 0) atomicAdd(&histo[bin], 1);
    }
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
