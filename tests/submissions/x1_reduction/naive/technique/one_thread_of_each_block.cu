// SPDX-License-Identifier: MIT
// Wrong: the values lie in shared memory, and one thread of each block combines them in a loop.
// on a GPU: pass
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[2 * 1024];
  const unsigned left = 2 * threadIdx.x;
  const std::size_t position = std::size_t{2} * blockDim.x * blockIdx.x + left;
  values[left] = position < length ? data[position] : Operator::identity();
  values[left + 1] = position + 1 < length ? data[position + 1] : Operator::identity();
  __syncthreads();
  if (threadIdx.x == 0) {
    typename Operator::value total = values[0];
    for (unsigned i = 1; i < 2 * blockDim.x; ++i) total = Operator::combine(total, values[i]);
    partials[blockIdx.x] = total;
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 1024;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
}
