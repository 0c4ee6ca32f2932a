// SPDX-License-Identifier: MIT
// Wrong: each piece begins one byte late.
// on a GPU: wrong_answer
#include "lab.hpp"

constexpr std::size_t bytes_each = 16;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t begin = thread * bytes_each;
  for (std::size_t i = begin + 1; i < begin + bytes_each && i < length; ++i) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t bytes_of_block = 256 * 16;
  return {static_cast<unsigned>((length + bytes_of_block - 1) / bytes_of_block), 256};
}
