// SPDX-License-Identifier: MIT
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* in, std::size_t n, typename Operator::value* out) {
  __shared__ typename Operator::value tree[2048];
  unsigned t = threadIdx.x;
  std::size_t first = 2 * (std::size_t)blockDim.x * blockIdx.x;

  tree[2 * t] = Operator::identity();
  tree[2 * t + 1] = Operator::identity();
  if (first + 2 * t < n) tree[2 * t] = in[first + 2 * t];
  if (first + 2 * t + 1 < n) tree[2 * t + 1] = in[first + 2 * t + 1];

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
