// SPDX-License-Identifier: MIT
// Right: the first step is made with what a thread has loaded; blocks of 256.
// on a GPU: pass
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[1024];
  const std::size_t position = std::size_t{2} * blockDim.x * blockIdx.x + threadIdx.x;
  typename Operator::value own = position < length ? data[position] : Operator::identity();
  if (position + blockDim.x < length) own = Operator::combine(own, data[position + blockDim.x]);
  values[threadIdx.x] = own;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (threadIdx.x < stride) values[threadIdx.x] = own = Operator::combine(own, values[threadIdx.x + stride]);
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
}
