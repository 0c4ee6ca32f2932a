// SPDX-License-Identifier: MIT
// x1, converged: the partners begin half the values apart, so that the threads that still work stay neighbours.
//
// The loads are those of `coalesced`. Each block reduces 2 * blockDim.x elements to one value, and leaves it in
// partials[blockIdx.x].
#include "lab.hpp"

constexpr unsigned largest_block = 1024;  // threads; CUDA allows no more

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  // TODO 1: load two elements for each thread into shared memory, as in `coalesced`.
  // <solution>
  __shared__ typename Operator::value values[2 * largest_block];
  const std::size_t position = std::size_t{2} * blockDim.x * blockIdx.x + threadIdx.x;
  values[threadIdx.x] = position < length ? data[position] : Operator::identity();
  values[threadIdx.x + blockDim.x] = position + blockDim.x < length ? data[position + blockDim.x] : Operator::identity();
  // </solution>
  // TODO 2: write the loop over the steps: 2 * blockDim.x values to begin with, then half of them, until one is left. Of
  //         an odd number the larger half is left.
  // TODO 3: in each step, wait for the step before; then combine value t with the one that lies half the values behind
  //         it, if there is one.
  // <solution>
  for (unsigned count = 2 * blockDim.x; count > 1; count = (count + 1) / 2) {
    const unsigned half = (count + 1) / 2;
    __syncthreads();
    if (threadIdx.x + half < count) {
      values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + half]);
    }
  }
  // </solution>
  // TODO 4: store the block's value.
  // <solution>
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
  // </solution>
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 5: launch as in `naive`.
  // <solution>
  constexpr unsigned block = 1024;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
  // </solution> return {1, 1};
}
