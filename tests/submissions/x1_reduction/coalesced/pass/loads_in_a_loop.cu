// SPDX-License-Identifier: MIT
// Right: a loop over the block's part, in steps of blockDim.x.
// on a GPU: pass
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[2 * 1024];
  const std::size_t begin = std::size_t{blockIdx.x} * (2 * blockDim.x);
  for (unsigned i = threadIdx.x; i < 2 * blockDim.x; i += blockDim.x) {
    values[i] = Operator::identity();
    if (begin + i < length) values[i] = data[begin + i];
  }
  __syncthreads();
  for (unsigned stride = 1; stride < 2 * blockDim.x; stride *= 2) {
    for (unsigned at = 2 * stride * threadIdx.x; at + stride < 2 * blockDim.x; at += 2 * stride * blockDim.x) {
      values[at] = Operator::combine(values[at], values[at + stride]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 128;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
}
