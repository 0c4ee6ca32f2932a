// SPDX-License-Identifier: MIT
// Wrong: the first warp clears all slots, and no barrier keeps the other warps from storing their values before that.
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using Value = typename Operator::value;
  __shared__ Value slots[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (warp == 0) slots[lane] = Operator::identity();
  Value own = Operator::identity();
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += threads) own = Operator::combine(own, data[i]);
  const auto all_of_warp = [&](Value value) {
    for (unsigned d = 1; d < 32; d *= 2) {
      const Value other = shuffle_down(0xffffffffu, value, d);
      if (lane + d < 32) value = Operator::combine(value, other);
    }
    return value;
  };
  own = all_of_warp(own);
  if (lane == 0) slots[warp] = own;
  __syncthreads();
  if (warp != 0) return;
  own = all_of_warp(slots[lane]);
  if (lane == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t block = 192, per_thread = 16;
  const std::size_t enough = (length + block * per_thread - 1) / (block * per_thread);
  const std::size_t most = 2 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), static_cast<unsigned>(block)};
}
