// SPDX-License-Identifier: MIT
// No table of the block at all. The threads that are still there when the others have left form groups of
// equal bins, by cooperative groups, and the first of each group adds the group's size to the result in
// global memory.
#include <cooperative_groups.h>

#include "lab.hpp"

namespace cg = cooperative_groups;

constexpr unsigned bytes_per_thread = 8;

template <class Binning>
__device__ void count_as_a_group(int bin, unsigned int* histo) {
  if (bin < 0) return;
  const cg::coalesced_group counted = cg::coalesced_threads();
  const cg::coalesced_group equals = cg::labeled_partition(counted, bin);
  if (equals.thread_rank() == 0) atomicAdd(histo + bin, static_cast<unsigned int>(equals.size()));
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                                 unsigned int* histo) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t begin = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (begin >= length) return;
  int previous = -1;
  unsigned int repeated = 0;  // further bytes of the bin before, which wait to be added at once
  for (std::size_t i = begin; i < length; i += threads) {
    const int bin = Binning::bin_of(__ldg(data + i));
    if (bin == previous) {
      repeated += bin >= 0 ? 1 : 0;
      continue;
    }
    if (repeated > 0) atomicAdd(histo + previous, repeated);
    repeated = 0;
    previous = bin;
    count_as_a_group<Binning>(bin, histo);
  }
  if (repeated > 0) atomicAdd(histo + previous, repeated);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 96;
  constexpr std::size_t of_block = std::size_t{block} * bytes_per_thread;
  return {static_cast<unsigned>((length + of_block - 1) / of_block), block};
}
