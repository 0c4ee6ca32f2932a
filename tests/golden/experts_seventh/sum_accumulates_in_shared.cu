// SPDX-License-Identifier: MIT
// The accumulators lie in shared memory, four for each thread in turn, so that every element costs a load and
// a store there. Blocks of 128 threads; a thread folds its four, and then half of the threads the others'.
#include "lab.hpp"

constexpr unsigned block_size = 128, slots = 4;

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value sums[slots][block_size];
  const unsigned t = threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < slots; ++k) sums[k][t] = Operator::identity();

  const std::size_t stride = std::size_t{gridDim.x} * block_size;
  unsigned turn = 0;
#pragma unroll 1
  for (std::size_t i = std::size_t{blockIdx.x} * block_size + t; i < length; i += stride) {
    value& slot = sums[turn % slots][t];
    slot = Operator::combine(slot, data[i]);
    ++turn;
  }

  value own =
      Operator::combine(Operator::combine(sums[0][t], sums[1][t]), Operator::combine(sums[2][t], sums[3][t]));
  sums[0][t] = own;
  for (unsigned half = block_size / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) {
      own = Operator::combine(own, sums[0][t + half]);
      sums[0][t] = own;
    }
  }
  if (t == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + block_size * 16 - 1) / (block_size * 16);
  const std::size_t most = 14 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(blocks < most ? blocks : most), block_size};
}
