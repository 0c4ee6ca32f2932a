// SPDX-License-Identifier: MIT
// Thread-contiguous pieces of 32 bytes, tables for pairs of warps, and cuda::atomic_ref in place of
// atomicAdd: block scope while counting, device scope for the commit, relaxed both times.
#include <cuda/atomic>

#include "lab.hpp"

constexpr unsigned block_size = 256, tables = block_size / 64, piece = 32;

template <class Binning>
__global__ void __launch_bounds__(block_size, 4)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  using in_block = cuda::atomic_ref<unsigned int, cuda::thread_scope_block>;
  using in_device = cuda::atomic_ref<unsigned int, cuda::thread_scope_device>;
  __shared__ unsigned int counts[tables][Binning::bins];
  for (unsigned k = threadIdx.x; k < tables * Binning::bins; k += block_size) {
    counts[k / Binning::bins][k % Binning::bins] = 0;
  }
  __syncthreads();
  unsigned int(&own)[Binning::bins] = counts[threadIdx.x / 64];
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  for (std::size_t k = std::size_t{blockIdx.x} * block_size + threadIdx.x; k * piece < length; k += threads) {
    const std::size_t begin = k * piece;
    const std::size_t end = begin + piece < length ? begin + piece : length;
    for (const unsigned char* at = data + begin; at != data + end; ++at) {
      const int bin = Binning::bin_of(*at);
      if (bin >= 0) in_block(own[bin]).fetch_add(1u, cuda::memory_order_relaxed);
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned t = 0; t < tables; ++t) sum += counts[t][bin];
    if (sum > 0) in_device(histo[bin]).fetch_add(sum, cuda::memory_order_relaxed);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * piece - 1) / (block_size * piece);
  const std::size_t most = 4 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
