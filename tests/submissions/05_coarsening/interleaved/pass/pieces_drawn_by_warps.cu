// SPDX-License-Identifier: MIT
// Right: each warp draws pieces of its own. Where they are dealt out as on a GPU, all threads share the work.
#include "lab.hpp"
__device__ unsigned int next, ended;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  for (;;) {
    unsigned piece = 0;
    if (lane == 0) piece = atomicAdd(&next, 1u);
    piece = __shfl_sync(0xffffffffu, piece, 0);
    const std::size_t begin = std::size_t{piece} * 1024;
    if (begin >= length) break;
    for (std::size_t i = begin + lane; i < begin + 1024 && i < length; i += 32) {
      const int bin = Binning::bin_of(data[i]);
      if (bin >= 0) atomicAdd(&counts[bin], 1u);
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(&ended, 1u) == gridDim.x - 1) next = 0, ended = 0;
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 8191) / 8192;
  const std::size_t most = std::size_t{8} * multiprocessors() * resident_blocks(histogram_kernel<Bytes>, 128);
  return {static_cast<unsigned>(enough < most ? enough : most), 128};
}
