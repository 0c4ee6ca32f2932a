// SPDX-License-Identifier: MIT
// Honest: lambdas that capture by reference and by value.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned counted = 0;
  const auto count = [&, histo](std::size_t at) {
    const int bin = Binning::bin_of(data[at]);
    if (bin >= 0) atomicAdd(&histo[bin], 1), ++counted;
  };
  if (i < length) count(i);
  if (counted > 1) count(0);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
