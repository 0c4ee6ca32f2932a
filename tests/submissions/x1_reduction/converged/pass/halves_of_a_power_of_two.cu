// SPDX-License-Identifier: MIT
// Right: the stride is halved, from the power of two that is not smaller than half of the values.
// on a GPU: pass
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[2 * 1024];
  const std::size_t position = std::size_t{2} * blockDim.x * blockIdx.x + threadIdx.x;
  values[threadIdx.x] = position < length ? data[position] : Operator::identity();
  values[threadIdx.x + blockDim.x] = position + blockDim.x < length ? data[position + blockDim.x] : Operator::identity();
  unsigned stride = 1;
  while (stride < blockDim.x) stride *= 2;
  for (; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride && threadIdx.x + stride < 2 * blockDim.x) {
      values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + stride]);
    }
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 384;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
}
