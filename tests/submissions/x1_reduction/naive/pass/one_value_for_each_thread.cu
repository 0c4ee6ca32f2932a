// SPDX-License-Identifier: MIT
// Right: a thread combines its two elements before it stores one value; blocks of 256.
// on a GPU: pass
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[1024];
  const std::size_t position = 2 * (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x);
  typename Operator::value own = Operator::identity();
  if (position < length) own = Operator::combine(own, data[position]);
  if (position + 1 < length) own = Operator::combine(own, data[position + 1]);
  values[threadIdx.x] = own;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (threadIdx.x % (2 * stride) == 0 && threadIdx.x + stride < blockDim.x) {
      values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + stride]);
    }
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
}
