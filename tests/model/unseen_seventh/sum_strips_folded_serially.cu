// SPDX-License-Identifier: MIT
// How one ports a loop: every thread reduces a strip of neighbouring elements, as an OpenMP thread would.
// Then five threads of the block fold 32 of its values each, one after another, and thread 0 folds the five.
#include "lab.hpp"

constexpr unsigned groups = 5;
constexpr unsigned block_threads = 32 * groups;

template <class Operator>
__global__ void __launch_bounds__(block_threads)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using Value = typename Operator::value;
  __shared__ Value values[block_threads];

  const std::size_t threads = std::size_t{gridDim.x} * block_threads;
  const std::size_t thread = std::size_t{blockIdx.x} * block_threads + threadIdx.x;
  const std::size_t strip = length / threads,
                    longer = length % threads;  // the first ones have one element more
  const std::size_t begin = thread * strip + (thread < longer ? thread : longer);
  const std::size_t end = begin + strip + (thread < longer ? 1 : 0);
  Value own = Operator::identity();
  for (std::size_t i = begin; i < end; ++i) own = Operator::combine(own, data[i]);
  values[threadIdx.x] = own;
  __syncthreads();

  if (threadIdx.x % 32 == 0) {
    for (unsigned k = 1; k < 32; ++k) own = Operator::combine(own, values[threadIdx.x + k]);
    values[threadIdx.x] = own;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned g = 1; g < groups; ++g) own = Operator::combine(own, values[g * 32]);
    partials[blockIdx.x] = own;
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t each = 24;
  const std::size_t enough = (length + block_threads * each - 1) / (block_threads * each);
  const std::size_t most = std::size_t{12} * multiprocessors();
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
