// SPDX-License-Identifier: MIT
// An inclusive scan after Hillis and Steele in two buffers; the last element is the sum of the block. More
// work than a tree needs.
#include "lab.hpp"

#define SCAN_THREADS 128

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  typedef typename Operator::value T;
  __shared__ T buffers[2][SCAN_THREADS];

  T sum = Operator::identity();
  std::size_t i = (std::size_t)blockIdx.x * SCAN_THREADS + threadIdx.x;
  const std::size_t stride = (std::size_t)gridDim.x * SCAN_THREADS;
  while (i < length) {
    sum = Operator::combine(sum, data[i]);
    i += stride;
  }

  int in = 0, out = 1;
  buffers[in][threadIdx.x] = sum;
  __syncthreads();
  for (int offset = 1; offset < SCAN_THREADS; offset <<= 1) {
    if (threadIdx.x >= offset)
      buffers[out][threadIdx.x] =
          Operator::combine(buffers[in][threadIdx.x - offset], buffers[in][threadIdx.x]);
    else
      buffers[out][threadIdx.x] = buffers[in][threadIdx.x];
    in = 1 - in;
    out = 1 - out;
    __syncthreads();
  }
  if (threadIdx.x == SCAN_THREADS - 1) partials[blockIdx.x] = buffers[in][SCAN_THREADS - 1];
}

LaunchShape launch_shape(std::size_t length) {
  std::size_t grid = (length + SCAN_THREADS * 16 - 1) / (SCAN_THREADS * 16);
  if (grid < 1) grid = 1;
  if (grid > 1000) grid = 1000;
  return {(unsigned)grid, SCAN_THREADS};
}
