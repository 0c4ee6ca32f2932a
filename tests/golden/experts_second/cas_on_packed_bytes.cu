// SPDX-License-Identifier: MIT
// Four 8-bit counters to a word, a table for each warp. A compare-and-swap loop adds to a counter; one that
// is full goes back to zero, and its 256 to a wide counter of the block.
#include <cuda/atomic>

#include "lab.hpp"

constexpr unsigned block_threads = 256;
constexpr unsigned warps = block_threads / 32;

__device__ __forceinline__ void add_packed(unsigned int* words, unsigned int* wide, int bin) {
  const unsigned shift = 8 * (bin % 4);
  const cuda::atomic_ref<unsigned int, cuda::thread_scope_block> word(words[bin / 4]);
  unsigned int seen = word.load(cuda::memory_order_relaxed);
  bool full;
  unsigned int next;
  do {
    full = (seen >> shift & 0xffu) == 0xffu;
    next = full ? seen & ~(0xffu << shift) : seen + (1u << shift);
  } while (!word.compare_exchange_weak(seen, next, cuda::memory_order_relaxed, cuda::memory_order_relaxed));
  if (full) atomicAdd(&wide[bin], 256u);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned words = (Binning::bins + 3) / 4;
  __shared__ unsigned int packed[warps][words];
  __shared__ unsigned int wide[Binning::bins];
  for (unsigned i = threadIdx.x; i < warps * words; i += blockDim.x) packed[i / words][i % words] = 0;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) wide[bin] = 0;
  __syncthreads();

  unsigned int* mine = packed[threadIdx.x / 32];
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) add_packed(mine, wide, bin);
  }
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    unsigned int sum = wide[bin];
    for (unsigned w = 0; w < warps; ++w) sum += packed[w][bin / 4] >> 8 * (bin % 4) & 0xffu;
    if (sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_threads * 16 - 1) / (block_threads * 16);
  const std::size_t most = std::size_t{multiprocessors()} * 8;
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
