// SPDX-License-Identifier: MIT
// Three loads of 16 bytes are always under way in a thread: the register that has just been counted is filled
// again before its bytes are taken apart.
#include "lab.hpp"

constexpr unsigned stages = 3;
constexpr unsigned block_threads = 128;

template <class Binning>
__device__ __forceinline__ void count_four(unsigned int* counts, unsigned int word) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(word >> 8 * k));
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
}

template <class Binning>
__global__ void __launch_bounds__(block_threads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_threads) counts[bin] = 0;

  const std::size_t thread = std::size_t{blockIdx.x} * block_threads + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_threads;
  const uint4* const wide = reinterpret_cast<const uint4*>(data);
  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 16 == 0 ? length / 16 : 0;

  uint4 stage[stages] = {};
#pragma unroll
  for (unsigned s = 0; s < stages; ++s) {
    if (thread + s * threads < words) stage[s] = __ldcs(wide + thread + s * threads);
  }
  __syncthreads();  // the first loads are under way while the counters are cleared

  for (std::size_t w = thread; w < words; w += stages * threads) {
#pragma unroll
    for (unsigned s = 0; s < stages; ++s) {
      const std::size_t here = w + s * threads;
      if (here >= words) break;
      const uint4 now = stage[s];
      if (here + stages * threads < words) stage[s] = __ldcs(wide + here + stages * threads);
      count_four<Binning>(counts, now.x);
      count_four<Binning>(counts, now.y);
      count_four<Binning>(counts, now.z);
      count_four<Binning>(counts, now.w);
    }
  }
  for (std::size_t i = words * 16 + thread; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_threads) {
    const unsigned int count = counts[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = block_threads * 16 * stages;
  const std::size_t enough = (length + tile - 1) / tile;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_threads);
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
