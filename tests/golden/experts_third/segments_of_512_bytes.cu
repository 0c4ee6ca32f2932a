// SPDX-License-Identifier: MIT
// A warp takes 512 bytes at a time, 16 each lane, and has a table of its own.
#include "lab.hpp"

constexpr unsigned kWarps = 8;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                                 unsigned int* __restrict__ histo) {
  __shared__ unsigned int tables[kWarps][Binning::bins];
  unsigned int* const all = &tables[0][0];
  for (unsigned i = threadIdx.x; i < kWarps * Binning::bins; i += kWarps * 32) all[i] = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  unsigned int* const own = tables[threadIdx.x / 32];
  const std::size_t segments = length / 512;
  for (std::size_t s = std::size_t{blockIdx.x} * kWarps + threadIdx.x / 32; s < segments;
       s += std::size_t{gridDim.x} * kWarps) {
    const uint4 q = reinterpret_cast<const uint4*>(data + s * 512)[lane];
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned word = k < 4 ? q.x : k < 8 ? q.y : k < 12 ? q.z : q.w;
      const int bin = Binning::bin_of(static_cast<unsigned char>(word >> 8 * (k % 4)));
      if (bin >= 0) atomicAdd(own + bin, 1u);
    }
  }
  if (blockIdx.x == 0) {
    for (std::size_t i = segments * 512 + threadIdx.x; i < length; i += kWarps * 32) {
      const int bin = Binning::bin_of(data[i]);
      if (bin >= 0) atomicAdd(own + bin, 1u);
    }
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += kWarps * 32) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned w = 0; w < kWarps; ++w) sum += tables[w][b];
    if (sum != 0) atomicAdd(histo + b, sum);
  }
}

LaunchShape launch_shape(std::size_t length) { return {66, kWarps * 32}; }
