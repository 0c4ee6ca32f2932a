// SPDX-License-Identifier: MIT
// Few bins: each lane packs its counts in registers and __reduce_add_sync adds them over the warp; many bins: shared.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();

  constexpr int batch = 8;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t tid = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;

  for (std::size_t base = 0; base < length; base += batch * threads) {
    int bins[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const std::size_t i = base + k * threads + tid;
      bins[k] = i < length ? Binning::bin_of(data[i]) : -1;
    }
    if constexpr (Binning::bins <= 32) {
      for (int b = 0; b < Binning::bins; ++b) {
        unsigned int mine = 0;
#pragma unroll
        for (int k = 0; k < batch; ++k) mine += bins[k] == b;
        const unsigned int warp_sum = __reduce_add_sync(0xffffffffu, mine);
        if ((threadIdx.x & 31) == 0 && warp_sum) atomicAdd(&counts[b], warp_sum);
      }
    } else {
#pragma unroll
      for (int k = 0; k < batch; ++k)
        if (bins[k] >= 0) atomicAdd(&counts[bins[k]], 1u);
    }
  }

  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (counts[b]) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + block * 8 - 1) / (block * 8);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
