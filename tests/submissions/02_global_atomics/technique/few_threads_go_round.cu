// SPDX-License-Identifier: MIT
// Wrong: 512 threads that go round.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t round = 0; round * threads + thread < length; ++round) {
    const int bin = Binning::bin_of(data[round * threads + thread]);
    if (bin >= 0) atomicAdd(&histo[bin], 1u);
  }
}

LaunchShape launch_shape(std::size_t) { return {2, 256}; }
