// SPDX-License-Identifier: MIT
// Wrong: whatever the operator, the numbers are added up.
#include "lab.hpp"

template <class Value>
__device__ Value add(Value a, Value b) { return a + b; }

__device__ Farthest::value add(Farthest::value a, Farthest::value b) { return Farthest::combine(a, b); }

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[2 * 1024];
  const unsigned left = 2 * threadIdx.x;
  const std::size_t position = std::size_t{2} * blockDim.x * blockIdx.x + left;
  values[left] = position < length ? data[position] : Operator::identity();
  values[left + 1] = position + 1 < length ? data[position + 1] : Operator::identity();
  for (unsigned stride = 1; stride < 2 * blockDim.x; stride *= 2) {
    __syncthreads();
    if (threadIdx.x % stride == 0 && left + stride < 2 * blockDim.x) {
      values[left] = add(values[left], values[left + stride]);
    }
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 1024;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
}
