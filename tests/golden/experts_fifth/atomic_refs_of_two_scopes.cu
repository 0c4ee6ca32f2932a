// SPDX-License-Identifier: MIT
// cuda::atomic_ref of the block's scope on the shared table and of the device's on the result; uchar4 loads,
// two of them in flight.
#include <cuda/atomic>

#include "lab.hpp"

template <class Binning>
struct BlockTable {
  unsigned int* counters;
  __device__ void operator()(unsigned char byte) const {
    const int bin = Binning::bin_of(byte);
    if (bin < 0) return;
    cuda::atomic_ref<unsigned int, cuda::thread_scope_block> counter(counters[bin]);
    counter.fetch_add(1u, cuda::memory_order_relaxed);
  }
  __device__ void operator()(const uchar4& four) const {
    (*this)(four.x);
    (*this)(four.y);
    (*this)(four.z);
    (*this)(four.w);
  }
};

template <class Binning>
__global__ void __launch_bounds__(480)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counters[Binning::bins];
  for (int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counters[bin] = 0;
  __syncthreads();

  const BlockTable<Binning> count{counters};
  const std::size_t id = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t fours = reinterpret_cast<std::size_t>(data) % 4 == 0 ? length / 4 : 0;
  const uchar4* const quads = reinterpret_cast<const uchar4*>(data);
  std::size_t q = id;
  while (q + threads < fours) {
    const uchar4 first = quads[q], second = quads[q + threads];
    count(first);
    count(second);
    q += 2 * threads;
  }
  if (q < fours) count(quads[q]);
  for (std::size_t i = fours * 4 + id; i < length; i += threads) count(data[i]);
  __syncthreads();

  for (int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    cuda::atomic_ref<unsigned int, cuda::thread_scope_device>(histo[bin])
        .fetch_add(counters[bin], cuda::memory_order_relaxed);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t grid = length / (480 * 16);
  const std::size_t cap = 4 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(1 + (grid < cap ? grid : cap - 1)), 480};
}
