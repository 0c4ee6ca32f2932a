// SPDX-License-Identifier: MIT
// A warp combines its 32 values by shuffles in every turn, and its first lane keeps the result.
#include "lab.hpp"

constexpr unsigned block = 256, lanes = 32;

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using Value = typename Operator::value;
  const std::size_t threads = std::size_t{gridDim.x} * block;
  const unsigned lane = threadIdx.x % lanes;
  Value own = Operator::identity();
  for (std::size_t first = std::size_t{blockIdx.x} * block + threadIdx.x - lane; first < length;
       first += threads) {
    Value value = first + lane < length ? data[first + lane] : Operator::identity();
    for (unsigned offset = lanes / 2; offset > 0; offset /= 2) {
      const Value other = shuffle_down(~0u, value, offset);
      if (lane + offset < lanes) value = Operator::combine(value, other);
    }
    if (lane == 0) own = Operator::combine(own, value);
  }
  __shared__ Value values[block / lanes];
  if (lane == 0) values[threadIdx.x / lanes] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned warp = 1; warp < block / lanes; ++warp) own = Operator::combine(own, values[warp]);
    partials[blockIdx.x] = own;
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 2 * block - 1) / (2 * block),
                    most = std::size_t{multiprocessors()} * 8;
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
