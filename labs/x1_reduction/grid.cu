// SPDX-License-Identifier: MIT
// x1, grid: each thread combines many elements before the block's tree begins, and the grid stops growing with the input.
//
// Whatever the grid is, every element must be combined once. Each block leaves its value in partials[blockIdx.x].
#include "lab.hpp"

constexpr unsigned largest_block = 1024;  // threads; CUDA allows no more

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  // TODO 1: number the threads of the whole grid, and count them.
  // TODO 2: let thread t of T combine elements t, t + T, t + 2T, ... in a variable of its own. It begins with the
  //         identity, for a thread may have no element at all.
  // TODO 3: put it into shared memory, one value for each thread of the block.
  // TODO 4: go through the tree as in `converged`, over blockDim.x values, and store the block's value.
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 5: launch as many blocks as the device can hold at a time, but give every thread several elements.
  return {1, 1};
}
