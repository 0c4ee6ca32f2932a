// SPDX-License-Identifier: MIT
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* in, std::size_t n, typename Operator::value* out) {
  __shared__ typename Operator::value tree[1024];
  std::size_t thread = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x;
  std::size_t stride = gridDim.x * (std::size_t)blockDim.x;

  typename Operator::value mine = Operator::identity();
  for (std::size_t i = thread; i < n; i += stride) {
    mine = Operator::combine(mine, in[i]);
  }
  tree[threadIdx.x] = mine;

  unsigned count = blockDim.x;
  while (count > 1) {
    unsigned half = (count + 1) / 2;
    __syncthreads();
    if (threadIdx.x + half < count) {
      tree[threadIdx.x] = Operator::combine(tree[threadIdx.x], tree[threadIdx.x + half]);
    }
    count = half;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tree[0];
}

LaunchShape launch_shape(std::size_t length) {
  std::size_t blocks = (length + 4095) / 4096;
  return {(unsigned)(blocks < 1024 ? blocks : 1024), 256};
}
