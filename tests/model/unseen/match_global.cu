// SPDX-License-Identifier: MIT
// Lanes with the same bin are found first, and one of them adds for all: straight to the result.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int bin = i < length ? Binning::bin_of(data[i]) : -1;
  const unsigned peers = __match_any_sync(~0u, bin);
  if (bin >= 0 && threadIdx.x % 32 == static_cast<unsigned>(__ffs(peers) - 1))
    atomicAdd(&histo[bin], __popc(peers));
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
