// SPDX-License-Identifier: MIT
// The second kernel of the well-known slides: busy threads are neighbours, but the places that they combine
// lie 2, 4, 8 ... apart, in the same banks. Four elements a thread, a block for every 1,024.
#include "lab.hpp"

constexpr unsigned block_size = 256;

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[block_size];
  const unsigned t = threadIdx.x;
  const std::size_t begin = std::size_t{blockIdx.x} * block_size * 4;
  typename Operator::value own = Operator::identity();
  for (unsigned k = 0; k < 4; ++k) {
    const std::size_t i = begin + k * block_size + t;
    if (i < length) own = Operator::combine(own, data[i]);
  }
  values[t] = own;
  __syncthreads();
  for (unsigned stride = 1; stride < block_size; stride *= 2) {
    const unsigned index = 2 * stride * t;
    if (index < block_size) values[index] = Operator::combine(values[index], values[index + stride]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + block_size * 4 - 1) / (block_size * 4)), block_size};
}
