// SPDX-License-Identifier: MIT
// If all lanes of a warp hold the same word (__match_all_sync), four of them count it for all; if not, every
// lane counts its four bytes.
#include "lab.hpp"

template <class Binning>
__device__ __forceinline__ void add(unsigned int* counts, unsigned char byte, unsigned int n) {
  const int bin = Binning::bin_of(byte);
  if (bin >= 0) atomicAdd(&counts[bin], n);
}

template <class Binning>
__global__ void __launch_bounds__(320, 6)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x & 31;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  // Words that whole warps take.
  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 128 * 32 : 0;
  for (std::size_t w = thread; w < words; w += threads) {
    unsigned int word = reinterpret_cast<const unsigned int*>(data)[w];
    int same;
    __match_all_sync(0xffffffffu, word, &same);
    if (same) {
      if (lane < 4) add<Binning>(counts, static_cast<unsigned char>(word >> 8 * lane), 32);
    } else {
#pragma unroll
      for (int k = 0; k < 4; ++k) add<Binning>(counts, static_cast<unsigned char>(word >> 8 * k), 1);
    }
  }
  for (std::size_t i = words * 4 + thread; i < length; i += threads) add<Binning>(counts, data[i], 1);
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int count = counts[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 320;
  const std::size_t enough = (length + block * 16 - 1) / (block * 16);
  const std::size_t most = std::size_t{multiprocessors()} * 6;
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
