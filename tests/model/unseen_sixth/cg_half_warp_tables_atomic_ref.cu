// SPDX-License-Identifier: MIT
// Cooperative groups: every tile of 16 threads has a table of its own in shared memory and counts in it with
// relaxed cuda::atomic_ref of block scope. Blocks of 256 threads, 16 tables, 4 bytes a load.
#include <cooperative_groups.h>

#include <cuda/atomic>

#include "lab.hpp"

namespace cg = cooperative_groups;

constexpr unsigned block_threads = 256;
constexpr unsigned tile_threads = 16;
constexpr unsigned tables = block_threads / tile_threads;

template <class Binning>
__device__ __forceinline__ void count_byte(unsigned int* table, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  if (bin < 0) return;
  cuda::atomic_ref<unsigned int, cuda::thread_scope_block> counter(table[bin]);
  counter.fetch_add(1u, cuda::memory_order_relaxed);
}

template <class Binning>
__global__ void __launch_bounds__(block_threads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[tables][Binning::bins];
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<tile_threads>(block);
  unsigned int* table = counts[block.thread_rank() / tile_threads];
  for (unsigned bin = tile.thread_rank(); bin < Binning::bins; bin += tile.size()) table[bin] = 0;
  tile.sync();

  const std::size_t threads = std::size_t{gridDim.x} * block.size();
  const std::size_t thread = std::size_t{blockIdx.x} * block.size() + block.thread_rank();
  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 4 : 0;
  for (std::size_t w = thread; w < words; w += threads) {
    const uchar4 four = reinterpret_cast<const uchar4*>(data)[w];
    count_byte<Binning>(table, four.x);
    count_byte<Binning>(table, four.y);
    count_byte<Binning>(table, four.z);
    count_byte<Binning>(table, four.w);
  }
  for (std::size_t i = words * 4 + thread; i < length; i += threads) count_byte<Binning>(table, data[i]);
  block.sync();

  for (unsigned bin = block.thread_rank(); bin < Binning::bins; bin += block.size()) {
    unsigned int sum = 0;
    for (unsigned t = 0; t < tables; ++t) sum += counts[t][bin];
    if (sum == 0) continue;
    cuda::atomic_ref<unsigned int, cuda::thread_scope_device> total(histo[bin]);
    total.fetch_add(sum, cuda::memory_order_relaxed);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = length / (block_threads * 16) + 1;
  const std::size_t most =
      std::size_t{4} * multiprocessors() * resident_blocks(histogram_kernel<Bytes>, block_threads);
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
