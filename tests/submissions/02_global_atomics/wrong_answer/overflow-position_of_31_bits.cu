// SPDX-License-Identifier: MIT
// Wrong: a position in an int, which ends at 2^31 - 1; where it goes on below 0 it is a huge length.
// on a GPU: wrong_answer overflow
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1u);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
