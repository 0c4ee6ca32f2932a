// SPDX-License-Identifier: MIT
// x1, coalesced: the tree is that of `naive`; in each load, neighbouring threads read neighbouring elements.
//
// Each block reduces 2 * blockDim.x elements to one value, and leaves it in partials[blockIdx.x].
#include "lab.hpp"

constexpr unsigned largest_block = 1024;  // threads; CUDA allows no more

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  // TODO 1: declare the array in shared memory as in `naive`.
  // <solution>
  __shared__ typename Operator::value values[2 * largest_block];
  // </solution>
  // TODO 2: let thread t load the block's elements t and t + blockDim.x, each to its place in the array; beyond the end
  //         of the input it stores the identity.
  // <solution>
  const std::size_t position = std::size_t{2} * blockDim.x * blockIdx.x + threadIdx.x;
  values[threadIdx.x] = position < length ? data[position] : Operator::identity();
  values[threadIdx.x + blockDim.x] = position + blockDim.x < length ? data[position + blockDim.x] : Operator::identity();
  // </solution>
  // TODO 3: go through the tree as in `naive`, and store the block's value.
  // <solution>
  const unsigned left = 2 * threadIdx.x;
  for (unsigned stride = 1; stride < 2 * blockDim.x; stride *= 2) {
    __syncthreads();
    if (threadIdx.x % stride == 0 && left + stride < 2 * blockDim.x) {
      values[left] = Operator::combine(values[left], values[left + stride]);
    }
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
  // </solution>
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 4: launch as in `naive`.
  // <solution>
  constexpr unsigned block = 1024;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
  // </solution> return {1, 1};
}
