// SPDX-License-Identifier: MIT
// Right: each block takes one stretch of the input, and its threads go through it side by side.
// on a GPU: pass
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  const std::size_t share = (length + gridDim.x - 1) / gridDim.x;
  const std::size_t begin = blockIdx.x * share, end = begin + share < length ? begin + share : length;
  typename Operator::value own = Operator::identity();
  std::size_t i = begin + threadIdx.x;
  while (i < end) {
    own = Operator::combine(data[i], own);
    i += blockDim.x;
  }
  __shared__ typename Operator::value values[1024];
  values[threadIdx.x] = own;
  __syncthreads();
  for (unsigned stride = 256; stride > 0; stride /= 2) {
    if (threadIdx.x < stride && threadIdx.x + stride < blockDim.x) values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + stride]);
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 8191) / 8192;
  return {static_cast<unsigned>(enough < 264 ? enough : 264), 512};
}
