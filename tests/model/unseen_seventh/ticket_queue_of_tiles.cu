// SPDX-License-Identifier: MIT
// Persistent blocks draw tiles of 24 KiB from a queue in global memory, so that a slow block does not hold up
// the others. The next ticket is drawn while the tile is counted; a word of four equal bytes is one atomic.
// The last block resets the queue.
#include <cuda/atomic>

#include "lab.hpp"

constexpr unsigned block_threads = 768;
constexpr unsigned vectors_per_thread = 2;
constexpr unsigned tile_vectors = block_threads * vectors_per_thread;

// Zero between two launches.
__device__ unsigned long long next_tile;
__device__ unsigned int blocks_done;

__device__ __forceinline__ void add_to(unsigned int& counter, unsigned int count) {
  cuda::atomic_ref<unsigned int, cuda::thread_scope_block>(counter).fetch_add(count,
                                                                              cuda::memory_order_relaxed);
}

template <class Binning>
__device__ __forceinline__ void count_word(unsigned int* counts, unsigned int word) {
  const unsigned int low = word & 0xff;
  if (word == low * 0x01010101u) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(low));
    if (bin >= 0) add_to(counts[bin], 4);
    return;
  }
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(word >> shift));
    if (bin >= 0) add_to(counts[bin], 1);
  }
}

template <class Binning>
__global__ void __launch_bounds__(block_threads, 2)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ unsigned long long drawn[2];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_threads) counts[bin] = 0;
  if (threadIdx.x == 0) drawn[0] = atomicAdd(&next_tile, 1ull);
  __syncthreads();

  std::size_t head = (16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16;
  if (head > length) head = length;
  const uint4* const vectors = reinterpret_cast<const uint4*>(data + head);
  const std::size_t count = (length - head) / 16;
  if (blockIdx.x == 0) {
    const std::size_t behind = head + count * 16;
    const std::size_t loose = head + (length - behind);
    if (threadIdx.x < loose) {
      const int bin = Binning::bin_of(data[threadIdx.x < head ? threadIdx.x : behind + (threadIdx.x - head)]);
      if (bin >= 0) add_to(counts[bin], 1);
    }
  }

  for (unsigned turn = 0;; turn ^= 1) {
    const std::size_t base = drawn[turn] * tile_vectors;
    if (base >= count) break;
    if (threadIdx.x == 0) drawn[turn ^ 1] = atomicAdd(&next_tile, 1ull);
    uint4 loaded[vectors_per_thread];
#pragma unroll
    for (unsigned k = 0; k < vectors_per_thread; ++k) {
      const std::size_t at = base + k * block_threads + threadIdx.x;
      if (at < count) loaded[k] = vectors[at];
    }
#pragma unroll
    for (unsigned k = 0; k < vectors_per_thread; ++k) {
      if (base + k * block_threads + threadIdx.x < count) {
        count_word<Binning>(counts, loaded[k].x);
        count_word<Binning>(counts, loaded[k].y);
        count_word<Binning>(counts, loaded[k].z);
        count_word<Binning>(counts, loaded[k].w);
      }
    }
    __syncthreads();
  }
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_threads) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
  // Whoever is last knows that nobody draws any more: each block has drawn its last ticket before it gets
  // here.
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(&blocks_done, 1u) == gridDim.x - 1) {
      atomicExch(&next_tile, 0ull);
      atomicExch(&blocks_done, 0u);
    }
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = length / (tile_vectors * 16) + 1;
  const std::size_t resident =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_threads);
  return {static_cast<unsigned>(tiles < resident ? tiles : resident), block_threads};
}
