// SPDX-License-Identifier: MIT
// Wrong: the block counts its elements, and adds up numbers whatever the operator.
#include "lab.hpp"

template <class Value>
__device__ Value add(Value a, Value b) { return a + b; }

__device__ Farthest::value add(Farthest::value a, Farthest::value b) { return Farthest::combine(a, b); }

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[2 * 1024];
  const std::size_t begin = std::size_t{2} * blockDim.x * blockIdx.x;
  const unsigned count = length - begin < 2 * blockDim.x ? static_cast<unsigned>(length - begin) : 2 * blockDim.x;
  const unsigned left = 2 * threadIdx.x;
  if (left < count) values[left] = data[begin + left];
  if (left + 1 < count) values[left + 1] = data[begin + left + 1];
  for (unsigned stride = 1; stride < count; stride *= 2) {
    __syncthreads();
    if (threadIdx.x % stride == 0 && left + stride < count) values[left] = add(values[left], values[left + stride]);
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 1024;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
}
