// SPDX-License-Identifier: MIT
// A warp per block, which loads eight elements before it combines them; its first lane combines what the
// others have.
#include "lab.hpp"

constexpr unsigned block = 32, under_way = 8;

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
  __syncwarp();
  if (threadIdx.x == 0) {
    for (unsigned lane = 1; lane < block; ++lane) own = Operator::combine(own, values[lane]);
    partials[blockIdx.x] = own;
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 8 * block - 1) / (8 * block),
                    most = std::size_t{multiprocessors()} * 20;
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
