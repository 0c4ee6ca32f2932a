// SPDX-License-Identifier: MIT
// Blocks of 243 threads, so that the tree has five levels of three: each thread that is left takes the values
// of two others. The last warp has only 19 lanes. Five elements a thread and turn, one block more than a
// multiple of the multiprocessors.
#include "lab.hpp"

constexpr unsigned block_size = 243, of_thread = 5;

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value values[block_size];
  constexpr std::size_t of_turn = block_size * of_thread;
  value own = Operator::identity();
  for (std::size_t base = blockIdx.x * of_turn; base < length; base += gridDim.x * of_turn) {
    const std::size_t first = base + threadIdx.x;
    if (base + of_turn <= length) {
#pragma unroll
      for (unsigned k = 0; k < of_thread; ++k) own = Operator::combine(own, data[first + k * block_size]);
    } else {
      for (std::size_t i = first; i < length; i += block_size) own = Operator::combine(own, data[i]);
    }
  }
  values[threadIdx.x] = own;
#pragma unroll
  for (unsigned third = block_size / 3; third > 0; third /= 3) {
    __syncthreads();
    if (threadIdx.x < third) {
      own = Operator::combine(
          own, Operator::combine(values[threadIdx.x + third], values[threadIdx.x + 2 * third]));
      values[threadIdx.x] = own;
    }
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * of_thread - 1) / (block_size * of_thread);
  const std::size_t most = 8 * std::size_t{multiprocessors()} + 1;
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
