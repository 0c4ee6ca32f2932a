// SPDX-License-Identifier: MIT
// Not one atomic on a counter: a warp peels off one bin after another by a shuffle and a ballot, and one lane
// adds to the warp's own counters in shared memory. For the commit a block takes a lock on the whole result
// and adds without atomics.
#include <cooperative_groups.h>

#include "lab.hpp"

namespace cg = cooperative_groups;

constexpr unsigned block_threads = 128;

__device__ int result_lock;  // 1: taken

template <class Binning>
__global__ void __launch_bounds__(block_threads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int of_warps[block_threads / 32][Binning::bins];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  unsigned int* const own = of_warps[warp.meta_group_rank()];
  for (unsigned bin = warp.thread_rank(); bin < Binning::bins; bin += warp.size()) own[bin] = 0;
  warp.sync();

  const std::size_t first = std::size_t{blockIdx.x} * block_threads + warp.meta_group_rank() * 32;
  const std::size_t step = std::size_t{gridDim.x} * block_threads;
  for (std::size_t base = first; base < length; base += step) {
    const std::size_t at = base + warp.thread_rank();
    const int bin = at < length ? Binning::bin_of(data[at]) : -1;
    unsigned left = warp.ballot(bin >= 0);
    while (left != 0) {  // the same for all lanes
      const unsigned leader = static_cast<unsigned>(__ffs(static_cast<int>(left))) - 1;
      const int peeled = warp.shfl(bin, leader);
      const unsigned same = warp.ballot(bin == peeled);
      if (warp.thread_rank() == leader) own[peeled] += static_cast<unsigned>(__popc(same));
      left &= ~same;
      warp.sync();
    }
  }
  block.sync();

  if (block.thread_rank() == 0) {
    unsigned nap = 32;
    while (atomicCAS(&result_lock, 0, 1) != 0) {
      __nanosleep(nap);
      if (nap < 1024) nap *= 2;
    }
    __threadfence();
  }
  block.sync();
  for (unsigned bin = block.thread_rank(); bin < Binning::bins; bin += block_threads) {
    unsigned int sum = 0;
    for (unsigned w = 0; w < block_threads / 32; ++w) sum += of_warps[w][bin];
    if (sum > 0) histo[bin] += sum;
  }
  __threadfence();
  block.sync();
  if (block.thread_rank() == 0) atomicExch(&result_lock, 0);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_threads * 8 - 1) / (block_threads * 8);
  const std::size_t most = std::size_t{6} * multiprocessors();
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
