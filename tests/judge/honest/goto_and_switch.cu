// SPDX-License-Identifier: MIT
// Honest: an older style.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  size_t i;
  int bin;
  i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) goto done;
  bin = Binning::bin_of(data[i]);
  if (bin < 0) goto done;
  atomicAdd(histo + bin, 1);
done:
  return;
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
