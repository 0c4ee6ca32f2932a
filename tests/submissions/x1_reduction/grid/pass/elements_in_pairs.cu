// SPDX-License-Identifier: MIT
// Right: two elements in each step, for as long as there are two.
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  typename Operator::value even = Operator::identity(), odd = Operator::identity();
  for (; i + threads < length; i += 2 * threads) {
    even = Operator::combine(even, data[i]);
    odd = Operator::combine(odd, data[i + threads]);
  }
  if (i < length) even = Operator::combine(even, data[i]);
  const typename Operator::value own = Operator::combine(even, odd);
  __shared__ typename Operator::value values[1024];
  values[threadIdx.x] = own;
  for (unsigned count = blockDim.x; count > 1; count = (count + 1) / 2) {
    const unsigned half = (count + 1) / 2;
    __syncthreads();
    if (threadIdx.x + half < count) {
      values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + half]);
    }
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 384;
  const std::size_t enough = (length + 8 * block - 1) / (8 * block);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
