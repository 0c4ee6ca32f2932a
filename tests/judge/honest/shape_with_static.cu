// SPDX-License-Identifier: MIT
// Honest: launch_shape keeps a variable between its calls.
#include "lab.hpp"

static unsigned calls;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) {
  static std::size_t longest = 0;
  ++calls;
  if (length > longest) longest = length;
  const unsigned block = longest > 100000 && calls > 3 ? 128 : 256;
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
