// SPDX-License-Identifier: MIT
// The lower half of the block only loads, the upper half only combines. Two tiles of shared memory lie
// between them: one is filled while the other is emptied, and a barrier swaps them.
#include "lab.hpp"

constexpr unsigned block_size = 512, half_block = block_size / 2;
constexpr unsigned of_thread = 4, tile_size = half_block * of_thread;

template <class Operator>
__device__ void fill(typename Operator::value* tile, const typename Operator::value* data, std::size_t begin,
                     std::size_t length) {
#pragma unroll
  for (unsigned k = 0; k < of_thread; ++k) {
    const unsigned place = k * half_block + threadIdx.x;
    tile[place] = begin + place < length ? data[begin + place] : Operator::identity();
  }
}

template <class Operator>
__global__ void __launch_bounds__(block_size, 2)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value tiles[2][tile_size];
  const bool loader = threadIdx.x < half_block;
  const unsigned adder = threadIdx.x - half_block;
  const std::size_t step = std::size_t{gridDim.x} * tile_size;
  value own = Operator::identity();
  std::size_t begin = std::size_t{blockIdx.x} * tile_size;
  unsigned turn = 0;
  if (loader) fill<Operator>(tiles[0], data, begin, length);
  for (; begin < length; begin += step, turn ^= 1) {
    __syncthreads();
    if (loader) {
      if (begin + step < length) fill<Operator>(tiles[turn ^ 1], data, begin + step, length);
    } else {
      // A tree over this thread's values: two pairs, then one.
      const value* const mine = tiles[turn] + adder;
      const value low = Operator::combine(mine[0], mine[half_block]);
      const value high = Operator::combine(mine[2 * half_block], mine[3 * half_block]);
      own = Operator::combine(own, Operator::combine(low, high));
    }
  }
  __syncthreads();
  value* const values = tiles[0];
  if (!loader) values[adder] = own;
  for (unsigned stride = half_block / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride)
      values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + stride]);
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = std::size_t{tile_size} * 4;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most = 2 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
