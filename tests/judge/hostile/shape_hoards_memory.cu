// SPDX-License-Identifier: MIT
// Hostile: takes more memory and more, and fills it, to work out a launch.
// expected: limit: launch_shape allocates more than 256 MiB of memory...
// on a GPU: limit: ...
// or on a GPU: timeout: no answer within 10 s
#include <vector>

#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1u);
}

LaunchShape launch_shape(std::size_t length) {
  std::vector<std::vector<char>> hoard;
  for (int k = 0; k < 200; ++k) hoard.emplace_back(std::size_t{1} << 27, static_cast<char>(k));
  return {static_cast<unsigned>((length + 255) / 256 + hoard.size() / 1000), 256};
}
