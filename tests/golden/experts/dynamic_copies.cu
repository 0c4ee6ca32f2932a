// SPDX-License-Identifier: MIT
// Dynamic shared memory for one table every two warps, sized by the host for the largest binning.
#include "lab.hpp"

static const unsigned block_size = 512;
static const unsigned threads_per_copy = 64;
static const unsigned copies = block_size / threads_per_copy;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  extern __shared__ unsigned int pool[];

  for (unsigned i = threadIdx.x; i < copies * Binning::bins; i += blockDim.x) pool[i] = 0;
  __syncthreads();

  unsigned int* const mine = pool + (threadIdx.x / threads_per_copy) * Binning::bins;
  // 32-bit offsets within a block's own stretch of the input; 64 bits only for its beginning.
  const std::size_t per_block = (length + gridDim.x - 1) / gridDim.x;
  const std::size_t begin = per_block * blockIdx.x;
  if (begin < length) {
    const unsigned count = static_cast<unsigned>(length - begin < per_block ? length - begin : per_block);
    const unsigned char* stretch = data + begin;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
      const int bin = Binning::bin_of(stretch[i]);
      if (bin >= 0) atomicAdd(&mine[bin], 1u);
    }
  }
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned c = 0; c < copies; ++c) sum += pool[c * Binning::bins + bin];
    if (sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t bytes = copies * Bytes::bins * sizeof(unsigned int);
  const std::size_t enough = (length + block_size * 16 - 1) / (block_size * 16);
  const std::size_t resident =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size, bytes);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block_size, bytes};
}
