// SPDX-License-Identifier: MIT
// Hostile: launch_shape takes memory until there is none.
// expected: limit: ...
// or: timeout: ...
// (the latter where the machine is slow to give memory)
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

static char* volatile last;

LaunchShape launch_shape(std::size_t length) {
  for (;;) {
    auto* const memory = static_cast<char*>(malloc(std::size_t{64} << 20));
    if (!memory) break;
    last = memory;
    for (std::size_t page = 0; page < std::size_t{64} << 20; page += 4096) last[page] = static_cast<char>(length | 1);
  }
  return {static_cast<unsigned>((length + 255) / 256), 256};
}
