// SPDX-License-Identifier: MIT
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* in, std::size_t n, typename Operator::value* out) {
  __shared__ typename Operator::value tree[2048];
  unsigned t = threadIdx.x;
  std::size_t i = 2 * (std::size_t)blockDim.x * blockIdx.x + t;

  tree[t] = i < n ? in[i] : Operator::identity();
  tree[t + blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : Operator::identity();

  for (unsigned stride = 1; stride < 2 * blockDim.x; stride *= 2) {
    __syncthreads();
    if (t % stride == 0 && 2 * t + stride < 2 * blockDim.x) {
      tree[2 * t] = Operator::combine(tree[2 * t], tree[2 * t + stride]);
    }
  }
  if (t == 0) out[blockIdx.x] = tree[0];
}

LaunchShape launch_shape(std::size_t length) {
  unsigned block = 1024;
  return {(unsigned)((length + 2 * block - 1) / (2 * block)), block};
}
