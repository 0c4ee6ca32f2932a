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
  // TODO 2: let thread t load the block's elements t and t + blockDim.x, each to its place in the array; beyond the end
  //         of the input it stores the identity.
  // TODO 3: go through the tree as in `naive`, and store the block's value.
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 4: launch as in `naive`.
  return {1, 1};
}
