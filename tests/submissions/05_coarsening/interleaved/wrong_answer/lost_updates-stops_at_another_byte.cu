// SPDX-License-Identifier: MIT
// Wrong: a thread ends at the first byte that is not counted.
// on a GPU: wrong_answer lost_updates
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = thread; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin < 0) break;
    atomicAdd(&counts[bin], 1u);
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
