// SPDX-License-Identifier: MIT
// Right: a pointer to the block's part, and a tree of one value for each thread.
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[1024];
  const std::size_t begin = std::size_t{2} * blockIdx.x * blockDim.x;
  const auto* const part = data + begin;
  const auto element = [&](unsigned i) { return begin + i < length ? part[i] : Operator::identity(); };
  values[threadIdx.x] = Operator::combine(element(threadIdx.x), element(threadIdx.x + blockDim.x));
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (threadIdx.x % (2 * stride) == 0 && threadIdx.x + stride < blockDim.x) {
      values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + stride]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
}
