// SPDX-License-Identifier: MIT
// Blocks of three warps, whose threads load four elements before they combine them; the tree begins with 64.
#include "lab.hpp"

constexpr unsigned block = 96, under_way = 4, largest_half = 64;

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using Value = typename Operator::value;
  const std::size_t threads = std::size_t{gridDim.x} * block;
  Value own = Operator::identity();
  std::size_t i = std::size_t{blockIdx.x} * block + threadIdx.x;
  for (; i + (under_way - 1) * threads < length; i += under_way * threads) {
    Value loaded[under_way];
    for (unsigned k = 0; k < under_way; ++k) loaded[k] = data[i + k * threads];
    for (unsigned k = 0; k < under_way; ++k) own = Operator::combine(own, loaded[k]);
  }
  for (; i < length; i += threads) own = Operator::combine(own, data[i]);
  __shared__ Value values[block];
  values[threadIdx.x] = own;
  for (unsigned half = largest_half; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half && threadIdx.x + half < block)
      values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 4 * block - 1) / (4 * block),
                    most = std::size_t{multiprocessors()} * 14;
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
