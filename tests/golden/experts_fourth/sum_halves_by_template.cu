// SPDX-License-Identifier: MIT
// The tree as a template over the block's size, so that each step is decided while the kernel is compiled.
// The last 64 values are one warp's.
#include "lab.hpp"

template <class Operator, unsigned block_size>
__device__ void last_warp(typename Operator::value* values, unsigned t) {
  typename Operator::value own = values[t];
  if constexpr (block_size >= 64) own = Operator::combine(own, values[t + 32]);
  for (unsigned offset = 16; offset > 0; offset /= 2)
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  if (t == 0) values[0] = own;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using value = typename Operator::value;
  constexpr unsigned block_size = 256;
  __shared__ value values[block_size];
  const unsigned t = threadIdx.x;
  const std::size_t stride = std::size_t{block_size} * 2 * gridDim.x;
  value own = Operator::identity();
  for (std::size_t i = std::size_t{blockIdx.x} * (block_size * 2) + t; i < length; i += stride) {
    own = Operator::combine(own, data[i]);
    if (i + block_size < length) own = Operator::combine(own, data[i + block_size]);
  }
  values[t] = own;
  __syncthreads();
  if (t < 128) values[t] = Operator::combine(values[t], values[t + 128]);
  __syncthreads();
  if (t < 64) values[t] = Operator::combine(values[t], values[t + 64]);
  __syncthreads();
  if (t < 32) last_warp<Operator, block_size>(values, t);
  if (t == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 2047) / 2048;
  return {static_cast<unsigned>(enough < 528 ? enough : 528), 256};
}
