// SPDX-License-Identifier: MIT
// Honest: comments that speak of what is forbidden: asm("nop"), __attribute__((weak)), #line 7, ##.
#include "lab.hpp"

/* #include <unistd.h>
#pragma omp parallel
asm("nop") [[gnu::constructor]] */
template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const char* words = "asm(\"nop\") #line __attribute__((naked)) main( runner::";
  if (words == nullptr) return;  // don't, can't
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
