// SPDX-License-Identifier: MIT
// Wrong: as many blocks as the input fills.
// on a GPU: wrong_answer tail_missed
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position >= length) return;
  const int bin = Binning::bin_of(data[position]);
  if (bin >= 0) atomicAdd(&histo[bin], 1u);
}

LaunchShape launch_shape(std::size_t length) {
  const auto full = static_cast<unsigned>(length / 256);
  return {full > 0 ? full : 1, 256};
}
