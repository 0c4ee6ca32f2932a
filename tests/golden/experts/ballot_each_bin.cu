// SPDX-License-Identifier: MIT
// Few bins: one ballot a bin, kept by the lane of that number; no atomic until the end. Many bins: shared atomics.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr bool few = Binning::bins <= 32;
  const int lane = threadIdx.x % 32;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t warp_base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane;

  if constexpr (few) {
    unsigned int mine = 0;
    for (; warp_base < length; warp_base += stride) {
      const std::size_t i = warp_base + lane;
      const int bin = i < length ? Binning::bin_of(data[i]) : -1;
      for (int b = 0; b < Binning::bins; ++b) {
        const int votes = __popc(__ballot_sync(0xffffffffu, bin == b));
        if (lane == b) mine += votes;
      }
    }
    if (lane < Binning::bins && mine > 0) atomicAdd(&histo[lane], mine);
  } else {
    __shared__ unsigned int counts[Binning::bins];
    for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
    __syncthreads();
    for (std::size_t i = warp_base + lane; i < length; i += stride) {
      const int bin = Binning::bin_of(data[i]);
      if (bin >= 0) atomicAdd(&counts[bin], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x)
      if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  const std::size_t enough = (length + block * 32 - 1) / (block * 32);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Letters>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
