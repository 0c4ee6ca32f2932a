// SPDX-License-Identifier: MIT
// Honest: launch_shape looks sizes up in a local array.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const unsigned blocks[] = {64, 128, 256, 512};
  unsigned at = 0;
  while (at < 3 && blocks[at] * 100 < length) ++at;
  return {static_cast<unsigned>((length + blocks[at] - 1) / blocks[at]), blocks[at]};
}
