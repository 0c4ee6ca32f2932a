// SPDX-License-Identifier: MIT
// A scalar head up to the first 16-byte boundary, a body of uint4 through __ldg, and a scalar tail.
#include "lab.hpp"

namespace {
constexpr unsigned kThreads = 512;

union Pack {
  uint4 vec;
  unsigned char byte[16];
};
}  // namespace

template <class Binning>
__device__ inline void bump(unsigned int* bins, unsigned char c) {
  int b = Binning::bin_of(c);
  if (b >= 0) atomicAdd(&bins[b], 1);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int s_bins[Binning::bins];
  for (int i = threadIdx.x; i < Binning::bins; i += kThreads) s_bins[i] = 0;
  __syncthreads();

  size_t head = (16 - (reinterpret_cast<size_t>(data) & 15)) & 15;
  if (head > length) head = length;
  const size_t n_vec = (length - head) >> 4;
  const size_t tail = head + (n_vec << 4);

  // The first block takes the odd ends: at most 15 bytes each.
  if (blockIdx.x == 0) {
    if (threadIdx.x < head) bump<Binning>(s_bins, data[threadIdx.x]);
    if (threadIdx.x < length - tail) bump<Binning>(s_bins, data[tail + threadIdx.x]);
  }

  const uint4* body = (const uint4*)(data + head);
  for (size_t i = (size_t)blockIdx.x * kThreads + threadIdx.x; i < n_vec; i += (size_t)gridDim.x * kThreads) {
    Pack p;
    p.vec = __ldg(body + i);
#pragma unroll 8
    for (int k = 0; k < 16; k++) bump<Binning>(s_bins, p.byte[k]);
  }
  __syncthreads();

  for (int i = threadIdx.x; i < Binning::bins; i += kThreads) {
    unsigned int n = s_bins[i];
    if (n) atomicAdd(&histo[i], n);
  }
}

LaunchShape launch_shape(std::size_t length) {
  std::size_t grid = (length + kThreads * 16 - 1) / (kThreads * 16);
  std::size_t most = multiprocessors() * 4;
  if (grid > most) grid = most;
  return {static_cast<unsigned>(grid), kThreads};
}
