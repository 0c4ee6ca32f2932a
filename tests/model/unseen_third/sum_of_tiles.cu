// SPDX-License-Identifier: MIT
// 8,192 elements for each block of 128 threads, then a tree in shared memory.
#include "lab.hpp"

constexpr unsigned block = 128;
constexpr std::size_t elements_of_block = 8192;

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using Value = typename Operator::value;
  const std::size_t begin = blockIdx.x * elements_of_block;
  const std::size_t end = begin + elements_of_block < length ? begin + elements_of_block : length;
  Value own = Operator::identity();
  for (std::size_t i = begin + threadIdx.x; i < end; i += block) own = Operator::combine(own, data[i]);
  __shared__ Value values[block];
  values[threadIdx.x] = own;
  for (unsigned half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + elements_of_block - 1) / elements_of_block), block};
}
