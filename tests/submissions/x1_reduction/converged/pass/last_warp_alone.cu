// SPDX-License-Identifier: MIT
// Right: the last steps belong to one warp, with __syncwarp instead of a barrier.
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[2 * 1024];
  const std::size_t position = std::size_t{2} * blockDim.x * blockIdx.x + threadIdx.x;
  values[threadIdx.x] = position < length ? data[position] : Operator::identity();
  values[threadIdx.x + blockDim.x] = position + blockDim.x < length ? data[position + blockDim.x] : Operator::identity();
  unsigned stride = blockDim.x;
  for (; stride > 16; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + stride]);
  }
  __syncthreads();
  if (threadIdx.x >= 32) return;
  for (; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + stride]);
    __syncwarp();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
}
