// SPDX-License-Identifier: MIT
// Honest: results of frexp and modf in elements of local arrays.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  int exponents[4];
  double wholes[4];
  frexp(static_cast<double>(length), &exponents[threadIdx.x % 4]);
  modf(static_cast<double>(i) / 3, wholes + threadIdx.x % 4);
  if (exponents[threadIdx.x % 4] > 1000 || wholes[threadIdx.x % 4] < 0) return;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
