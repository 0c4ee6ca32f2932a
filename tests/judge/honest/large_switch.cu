// SPDX-License-Identifier: MIT
// Honest: a `switch` with many cases, for which compilers write a table.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  int bin = -1;
  switch (data[i]) {
    case 'a': case 'e': case 'i': bin = Binning::bin_of(data[i]); break;
    case 'b': bin = Binning::bin_of('b'); break;
    case 'c': bin = Binning::bin_of('c'); break;
    case 'd': bin = Binning::bin_of('d'); break;
    case 'f': bin = Binning::bin_of('f'); break;
    case 'g': bin = Binning::bin_of('g'); break;
    case 'h': bin = Binning::bin_of('h'); break;
    default: bin = Binning::bin_of(data[i]);
  }
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
