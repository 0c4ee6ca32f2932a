// SPDX-License-Identifier: MIT
// Two blocks of 1024 threads a multiprocessor, __launch_bounds__(1024, 2): 32 registers, 16 bytes a thread
// and round. Eight tables in shared memory for 32 warps; 1024 threads add them up, four of them at each bin
// of 256.
#include "lab.hpp"

constexpr unsigned kThreads = 1024, kTables = 8;

template <class Binning>
__global__ void __launch_bounds__(1024, 2)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  constexpr unsigned bins = Binning::bins;
  __shared__ unsigned int counts[kTables * bins];
  for (unsigned i = threadIdx.x; i < kTables * bins; i += kThreads) counts[i] = 0;
  __syncthreads();

  unsigned int* const mine = counts + threadIdx.x / 32 % kTables * bins;
  const unsigned stride = gridDim.x * kThreads;
  const std::size_t thread = blockIdx.x * kThreads + threadIdx.x;
  for (std::size_t i = thread; i < length / 16; i += stride) {
    uint4 v = reinterpret_cast<const uint4*>(data)[i];
#pragma unroll 1
    for (int w = 0; w < 4; ++w) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int bin = Binning::bin_of(static_cast<unsigned char>(v.x >> (8 * k)));
        if (bin >= 0) atomicAdd(&mine[bin], 1u);
      }
      v = make_uint4(v.y, v.z, v.w, 0u);
    }
  }
  const std::size_t rest = length / 16 * 16 + thread;
  if (rest < length) {
    const int bin = Binning::bin_of(data[rest]);
    if (bin >= 0) atomicAdd(&mine[bin], 1u);
  }
  __syncthreads();

  // Thread (p, b) of part p takes the tables p and p + 4 of bin b.
  for (unsigned j = threadIdx.x; j < 4 * bins; j += kThreads) {
    const unsigned int sum = counts[j] + counts[4 * bins + j];
    if (sum > 0) atomicAdd(&histo[j % bins], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * 16;
  const std::size_t need = (length + tile - 1) / tile;
  const std::size_t room = std::size_t{multiprocessors()} * 2;
  return {static_cast<unsigned>(need < room ? need : room), kThreads};
}
