// SPDX-License-Identifier: MIT
// A warp writes 32 rows of 32 elements into shared memory; then each lane goes along a row, so that all lanes
// want the same bank.
#include "lab.hpp"

constexpr unsigned side = 32, elements_of_tile = side * side;

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using Value = typename Operator::value;
  __shared__ Value tile[side][side];
  const unsigned lane = threadIdx.x;
  const std::size_t tiles = (length + elements_of_tile - 1) / elements_of_tile;
  Value own = Operator::identity();
  for (std::size_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    for (unsigned row = 0; row < side; ++row) {
      const std::size_t i = t * elements_of_tile + row * side + lane;
      tile[row][lane] = i < length ? data[i] : Operator::identity();
    }
    __syncwarp();
    for (unsigned column = 0; column < side; ++column) own = Operator::combine(own, tile[lane][column]);
    __syncwarp();
  }
  for (unsigned offset = side / 2; offset > 0; offset /= 2) {
    const Value other = shuffle_down(~0u, own, offset);
    if (lane + offset < side) own = Operator::combine(own, other);
  }
  if (lane == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + elements_of_tile - 1) / elements_of_tile,
                    most = std::size_t{multiprocessors()} * 12;
  return {static_cast<unsigned>(enough < most ? enough : most), side};
}
