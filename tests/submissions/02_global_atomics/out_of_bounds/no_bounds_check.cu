// SPDX-License-Identifier: MIT
// Wrong: threads beyond the end count too.
// on a GPU: wrong_answer past_the_end
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int bin = Binning::bin_of(data[position]);
  if (bin >= 0) atomicAdd(&histo[bin], 1u);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
