// SPDX-License-Identifier: MIT
// Honest: functions of the library that store a result through a pointer.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  int exponent;
  float whole, sine, cosine;
  const float part = modff(frexpf(static_cast<float>(threadIdx.x) + 1, &exponent), &whole);
  sincosf(part, &sine, &cosine);
  if (sine > 2 || cosine > 2 || whole > 2 || exponent > 100) return;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
