// SPDX-License-Identifier: MIT
// Wrong: the last steps of one warp, written out without __syncwarp, as for GPUs before 2017.
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[2 * 1024];
  const std::size_t position = std::size_t{2} * blockDim.x * blockIdx.x + threadIdx.x;
  values[threadIdx.x] = position < length ? data[position] : Operator::identity();
  values[threadIdx.x + blockDim.x] = position + blockDim.x < length ? data[position + blockDim.x] : Operator::identity();
  for (unsigned stride = blockDim.x; stride > 32; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + stride]);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + 32]);
    values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + 16]);
    values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + 8]);
    values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + 4]);
    values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + 2]);
    values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + 1]);
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
}
