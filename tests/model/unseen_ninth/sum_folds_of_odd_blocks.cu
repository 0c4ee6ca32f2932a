// SPDX-License-Identifier: MIT
// Blocks of six warps: the tree folds the upper part onto the lower one and rounds up, so that it needs no
// power of two. Each thread combines four elements that lie side by side, from the end to the beginning.
#include "lab.hpp"

constexpr unsigned block_size = 192, of_thread = 4;

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  extern __shared__ uint4 room[];
  value* const values = reinterpret_cast<value*>(room);
  constexpr std::size_t of_block = std::size_t{block_size} * of_thread;
  value own = Operator::identity();
  for (std::size_t base = blockIdx.x * of_block; base < length; base += gridDim.x * of_block) {
    const std::size_t first = base + threadIdx.x * of_thread;
    if (first + of_thread <= length) {
      const value* const four = data + first;
      const value d = four[3], c = four[2], b = four[1], a = four[0];
      own = Operator::combine(own, Operator::combine(Operator::combine(a, b), Operator::combine(c, d)));
    } else {
      for (std::size_t at = length; at-- > first;) own = Operator::combine(own, data[at]);
    }
  }
  values[threadIdx.x] = own;
  for (unsigned active = block_size; active > 1;) {
    const unsigned half = (active + 1) / 2;
    __syncthreads();
    if (threadIdx.x + half < active) {
      values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + half]);
    }
    active = half;
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = std::size_t{block_size} * of_thread * 2;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most = 8 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), block_size, block_size * sizeof(uint4)};
}
