// SPDX-License-Identifier: MIT
// One block of 1024 threads for each SM. In dynamic shared memory each bin has 32 counters, one for each lane
// number, so that a warp's atomics never share a bank. The next 16 bytes are loaded before the last ones are
// counted.
#include "lab.hpp"

constexpr unsigned block_threads = 1024;

template <class Binning>
__device__ __forceinline__ void count_byte(unsigned int* column, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  if (bin >= 0) atomicAdd(&column[bin * 32], 1u);
}

template <class Binning>
__device__ __forceinline__ void count_word(unsigned int* column, unsigned int word) {
#pragma unroll
  for (int k = 0; k < 4; ++k) count_byte<Binning>(column, static_cast<unsigned char>(word >> (8 * k)));
}

template <class Binning>
__global__ void __launch_bounds__(block_threads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  extern __shared__ unsigned int columns[];  // [bins][32]
  for (unsigned k = threadIdx.x; k < Binning::bins * 32; k += blockDim.x) columns[k] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32;
  unsigned int* column = columns + lane;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t vectors = reinterpret_cast<std::uintptr_t>(data) % 16 == 0 ? length / 16 : 0;
  const uint4* quads = reinterpret_cast<const uint4*>(data);
  if (thread < vectors) {
    uint4 quad = quads[thread];
    for (std::size_t v = thread; v < vectors; v += threads) {
      uint4 next = {};
      if (v + threads < vectors) next = quads[v + threads];
      count_word<Binning>(column, quad.x);
      count_word<Binning>(column, quad.y);
      count_word<Binning>(column, quad.z);
      count_word<Binning>(column, quad.w);
      quad = next;
    }
  }
  for (std::size_t i = vectors * 16 + thread; i < length; i += threads) count_byte<Binning>(column, data[i]);
  __syncthreads();

  // A warp adds up a bin's row.
  for (unsigned bin = threadIdx.x / 32; bin < Binning::bins; bin += blockDim.x / 32) {
    unsigned int sum = columns[bin * 32 + lane];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (lane == 0 && sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t shared_bytes = 256 * 32 * sizeof(unsigned int);  // enough for any binning
  const std::size_t enough = length / (block_threads * 16) + 1;
  const std::size_t most = multiprocessors();
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads, shared_bytes};
}
