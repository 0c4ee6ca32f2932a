// SPDX-License-Identifier: MIT
// Hostile: ends the program from launch_shape through the standard library.
// expected: crash: it was ended by SIGABRT (Aborted)
#include <exception>

#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t) { std::terminate(); }
