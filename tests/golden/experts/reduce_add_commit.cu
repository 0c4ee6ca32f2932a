// SPDX-License-Identifier: MIT
// Tables transposed ([bin][copy], 16 copies, row of 17 words); half-warps commit a row each with __reduce_add_sync.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int copies = 16;
  constexpr int pitch = copies + 1;
  __shared__ unsigned int counts[Binning::bins * pitch];
  for (int i = threadIdx.x; i < Binning::bins * pitch; i += blockDim.x) counts[i] = 0;
  __syncthreads();

  unsigned int* column = counts + (threadIdx.x & (copies - 1));
  unsigned begin = blockIdx.x * blockDim.x + threadIdx.x;
  for (std::size_t i = begin; i < length; i += gridDim.x * blockDim.x) {
    const int bin = Binning::bin_of(__ldcs(data + i));
    if (bin >= 0) atomicAdd(column + bin * pitch, 1u);
  }
  __syncthreads();

  const unsigned half = threadIdx.x / copies;  // of the block
  const unsigned halves = blockDim.x / copies;
  const unsigned lanes = 0xffffu << (threadIdx.x & 16u);
  for (unsigned bin = half; bin < Binning::bins; bin += halves) {
    const unsigned int sum = __reduce_add_sync(lanes, column[bin * pitch]);
    if ((threadIdx.x & (copies - 1)) == 0 && sum != 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  const std::size_t enough = (length + block * 32 - 1) / (block * 32);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
