// SPDX-License-Identifier: MIT
// 64 threads per block and 16 KiB for each block, byte by byte.
#include "lab.hpp"

constexpr std::size_t bytes_of_block = 16384;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const std::size_t begin = blockIdx.x * bytes_of_block;
  const std::size_t end = begin + bytes_of_block < length ? begin + bytes_of_block : length;
  for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + bytes_of_block - 1) / bytes_of_block), 64};
}
