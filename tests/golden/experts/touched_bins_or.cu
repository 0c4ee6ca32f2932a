// SPDX-License-Identifier: MIT
// atomicInc counts, atomicOr marks which counters are in use; the commit walks the marked bins only.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int mask_words = (Binning::bins + 31) / 32;
  __shared__ unsigned int counts[Binning::bins];
  __shared__ unsigned int touched[mask_words];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  if (threadIdx.x < mask_words) touched[threadIdx.x] = 0;
  __syncthreads();

  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += stride) {
    const int bin = Binning::bin_of(data[i]);
    if (bin < 0) continue;
    const unsigned int before = atomicInc(&counts[bin], 0xffffffffu);
    if (before == 0) atomicOr(&touched[bin / 32], 1u << (bin % 32));  // only the first of a bin
  }
  __syncthreads();

  // A warp takes a word of marks, a lane one mark.
  const int lane = threadIdx.x % 32;
  for (int w = threadIdx.x / 32; w < mask_words; w += blockDim.x / 32) {
    if ((touched[w] >> lane) & 1u) atomicAdd(&histo[w * 32 + lane], counts[w * 32 + lane]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + block * 16 - 1) / (block * 16);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
