// SPDX-License-Identifier: MIT
// The first warp combines the values of all warps lane by lane, eight each, and then its own by exchanges.
#include "lab.hpp"

constexpr unsigned lanes = 32, rows = 8;

template <class Operator>
__global__ void __launch_bounds__(lanes* rows)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value grid_of_values[rows][lanes];
  const unsigned lane = threadIdx.x % lanes, row = threadIdx.x / lanes;
  const std::size_t step = std::size_t{gridDim.x} * (lanes * rows);
  std::size_t i = std::size_t{blockIdx.x} * (lanes * rows) + threadIdx.x;
  value a = Operator::identity(), b = Operator::identity();
  for (; i + step < length; i += 2 * step) {
    const value first = data[i], second = data[i + step];
    a = Operator::combine(a, first);
    b = Operator::combine(b, second);
  }
  if (i < length) a = Operator::combine(a, data[i]);
  grid_of_values[row][lane] = Operator::combine(a, b);
  __syncthreads();
  if (row > 0) return;
  value own = grid_of_values[0][lane];
#pragma unroll
  for (unsigned r = 1; r < rows; ++r) own = Operator::combine(own, grid_of_values[r][lane]);
#pragma unroll
  for (unsigned offset = lanes / 2; offset > 0; offset /= 2)
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  if (lane == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 4095) / 4096;
  return {static_cast<unsigned>(enough < 792 ? enough : 792), lanes * rows};
}
