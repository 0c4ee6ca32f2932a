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
  // TODO 2: write the loop over the steps: 2 * blockDim.x values to begin with, then half of them, until one is left. Of
  //         an odd number the larger half is left.
  // TODO 3: in each step, wait for the step before; then combine value t with the one that lies half the values behind
  //         it, if there is one.
  // TODO 4: store the block's value.
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 5: launch as in `naive`.
  return {1, 1};
}
