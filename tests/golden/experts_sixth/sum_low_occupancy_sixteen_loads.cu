// SPDX-License-Identifier: MIT
// One block of 64 threads on each multiprocessor; each thread has sixteen loads under way and combines what
// they bring in a tree in its registers. The values of the two warps meet in shared memory.
#include "lab.hpp"

constexpr unsigned block_size = 64, loads = 16;

// The first and the second half, down to single values.
template <class Operator, unsigned number>
__device__ __forceinline__ typename Operator::value combined(const typename Operator::value* values) {
  if constexpr (number == 1) {
    return values[0];
  } else {
    return Operator::combine(combined<Operator, number / 2>(values),
                             combined<Operator, number / 2>(values + number / 2));
  }
}

template <class Operator>
__global__ void __launch_bounds__(block_size, 1)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* __restrict__ partials) {
  using value = typename Operator::value;
  __shared__ value of_second;
  constexpr std::size_t of_block = block_size * loads;
  value own = Operator::identity();
  std::size_t begin = blockIdx.x * of_block;
  for (; begin + of_block <= length; begin += gridDim.x * of_block) {
    value loaded[loads];
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) loaded[k] = data[begin + k * block_size + threadIdx.x];
    own = Operator::combine(own, combined<Operator, loads>(loaded));
  }
  for (std::size_t i = begin + threadIdx.x; i < length && i < begin + of_block; i += block_size) {
    own = Operator::combine(own, data[i]);
  }
#pragma unroll
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  }
  if (threadIdx.x == 32) of_second = own;
  __syncthreads();
  if (threadIdx.x == 0) partials[blockIdx.x] = Operator::combine(own, of_second);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = block_size * loads;
  const std::size_t enough = (length + of_block - 1) / of_block, most = multiprocessors();
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
