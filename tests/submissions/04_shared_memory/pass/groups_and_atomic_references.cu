// SPDX-License-Identifier: MIT
// Right: with the toolkit's headers, cooperative groups and cuda::atomic_ref.
#include <cooperative_groups.h>

#include <cuda/atomic>

#include "lab.hpp"

namespace groups = cooperative_groups;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  const groups::thread_block block = groups::this_thread_block();
  for (unsigned bin = block.thread_rank(); bin < Binning::bins; bin += block.size()) counts[bin] = 0;
  block.sync();
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position < length) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) {
      cuda::atomic_ref<unsigned int, cuda::thread_scope_block> count(counts[bin]);
      count.fetch_add(1, cuda::memory_order_relaxed);
    }
  }
  block.sync();
  for (unsigned bin = block.thread_rank(); bin < Binning::bins; bin += block.size()) {
    if (counts[bin] == 0) continue;
    cuda::atomic_ref<unsigned int, cuda::thread_scope_device> total(histo[bin]);
    total.fetch_add(counts[bin], cuda::memory_order_relaxed);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 1024;
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
