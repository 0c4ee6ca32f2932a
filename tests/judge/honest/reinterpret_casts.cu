// SPDX-License-Identifier: MIT
// Honest: words read through a cast, bytes taken by shifts.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 4 : 0;
  if (i < words) {
    const unsigned word = reinterpret_cast<const unsigned*>(data)[i];
    for (int byte = 0; byte < 4; ++byte) {
      const int bin = Binning::bin_of(static_cast<unsigned char>(word >> 8 * byte));
      if (bin >= 0) atomicAdd(&histo[bin], 1);
    }
  }
  for (std::size_t at = words * 4 + i; at < length; at += gridDim.x * blockDim.x) {
    if (Binning::bin_of(data[at]) >= 0) atomicAdd(&histo[Binning::bin_of(data[at])], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
