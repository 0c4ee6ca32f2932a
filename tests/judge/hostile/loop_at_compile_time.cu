// SPDX-License-Identifier: MIT
// Hostile: a loop without an end, for the compiler.
// expected: build_error: ...
#include "lab.hpp"

constexpr unsigned long spin(unsigned long n) {
  while (n > 0) n = n % 7 + 1;
  return n;
}

constexpr unsigned long never = spin(1);

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
