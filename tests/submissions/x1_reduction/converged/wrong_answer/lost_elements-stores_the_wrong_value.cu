// SPDX-License-Identifier: MIT
// Wrong: the block's value is in values[0], and another one is stored.
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[2 * 1024];
  const std::size_t position = std::size_t{2} * blockDim.x * blockIdx.x + threadIdx.x;
  values[threadIdx.x] = position < length ? data[position] : Operator::identity();
  values[threadIdx.x + blockDim.x] = position + blockDim.x < length ? data[position + blockDim.x] : Operator::identity();
  for (unsigned count = 2 * blockDim.x; count > 1; count = (count + 1) / 2) {
    const unsigned half = (count + 1) / 2;
    __syncthreads();
    if (threadIdx.x + half < count) {
      values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + half]);
    }
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[blockDim.x];
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 1024;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
}
