// SPDX-License-Identifier: MIT
// A thread folds 32 elements that lie side by side, as a sequential program would; the threads of a block
// then fold in a tree of interleaved pairs with growing strides.
#include "lab.hpp"

const unsigned block_size = 128;
const unsigned per_thread = 32;

template <class Operator>
__device__ typename Operator::value fold_range(const typename Operator::value* from,
                                               const typename Operator::value* to) {
  typename Operator::value result = Operator::identity();
  while (from != to) result = Operator::combine(result, *from++);
  return result;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value shared[block_size];
  typename Operator::value total = Operator::identity();
  std::size_t chunk = (std::size_t{blockIdx.x} * block_size + threadIdx.x) * per_thread;
  while (chunk < length) {
    const std::size_t end = chunk + per_thread < length ? chunk + per_thread : length;
    total = Operator::combine(total, fold_range<Operator>(data + chunk, data + end));
    chunk += std::size_t{gridDim.x} * block_size * per_thread;
  }
  shared[threadIdx.x] = total;
  __syncthreads();

  for (unsigned stride = 1; stride < block_size; stride *= 2) {
    const unsigned index = 2 * stride * threadIdx.x;
    if (index + stride < block_size) {
      shared[index] = Operator::combine(shared[index], shared[index + stride]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = shared[0];
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t of_block = std::size_t{block_size} * per_thread;
  std::size_t grid = (length + of_block - 1) / of_block;
  if (grid == 0) grid = 1;
  if (grid > 2048) grid = 2048;
  return {static_cast<unsigned>(grid), block_size};
}
