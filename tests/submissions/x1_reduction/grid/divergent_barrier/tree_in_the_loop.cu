// SPDX-License-Identifier: MIT
// Wrong: the tree is gone through for each element, by threads that have different numbers of them.
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[1024];
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  typename Operator::value total = Operator::identity();
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += threads) {
    values[threadIdx.x] = data[i];
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
      __syncthreads();
      if (threadIdx.x < stride) values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + stride]);
    }
    if (threadIdx.x == 0) total = Operator::combine(total, values[0]);
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = total;
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + 16 * block - 1) / (16 * block);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
