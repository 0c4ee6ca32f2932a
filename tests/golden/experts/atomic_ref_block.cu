// SPDX-License-Identifier: MIT
// cuda::atomic_ref with block scope on the shared counters and device scope on the result, both relaxed.
#include <cuda/atomic>

#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();

  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += stride) {
    const int bin = Binning::bin_of(data[i]);
    if (bin < 0) continue;
    cuda::atomic_ref<unsigned int, cuda::thread_scope_block> counter(counts[bin]);
    counter.fetch_add(1u, cuda::memory_order_relaxed);
  }
  __syncthreads();

  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    if (counts[b] == 0) continue;
    cuda::atomic_ref<unsigned int, cuda::thread_scope_device> total(histo[b]);
    total.fetch_add(counts[b], cuda::memory_order_relaxed);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + block * 16 - 1) / (block * 16);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
