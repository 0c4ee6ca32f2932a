// SPDX-License-Identifier: MIT
// Lab 02 as many begin it: a thread reads the counter, adds one, and writes it back. Between the two another thread
// may have done the same. (PMPP, figures 9.3 to 9.5; `lab demo race`)
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = threadIdx.x + std::size_t{blockDim.x} * blockIdx.x;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) ++histo[bin];
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
