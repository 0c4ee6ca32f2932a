// SPDX-License-Identifier: MIT
// Hostile: a string made of numbers, so that the library writes for it.
// expected: out_of_bounds: ...
// on a GPU: crash: it was ended by SIGSEGV (Segmentation fault)
#include <string>

#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) {
  unsigned long words[4] = {length, 0, 64, 0};
  reinterpret_cast<std::string*>(words)->append("PASS");
  return {static_cast<unsigned>((length + 255) / 256), 256};
}
