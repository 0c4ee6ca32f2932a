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
  // <solution>
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  // </solution>
  // TODO 2: let thread t of T combine elements t, t + T, t + 2T, ... in a variable of its own. It begins with the
  //         identity, for a thread may have no element at all.
  // <solution>
  typename Operator::value own = Operator::identity();
  for (std::size_t i = thread; i < length; i += threads) own = Operator::combine(own, data[i]);
  // </solution>
  // TODO 3: put it into shared memory, one value for each thread of the block.
  // <solution>
  __shared__ typename Operator::value values[largest_block];
  values[threadIdx.x] = own;
  // </solution>
  // TODO 4: go through the tree as in `converged`, over blockDim.x values, and store the block's value.
  // <solution>
  for (unsigned count = blockDim.x; count > 1; count = (count + 1) / 2) {
    const unsigned half = (count + 1) / 2;
    __syncthreads();
    if (threadIdx.x + half < count) {
      values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + half]);
    }
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
  // </solution>
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 5: launch as many blocks as the device can hold at a time, but give every thread several elements.
  // <solution>
  constexpr unsigned block = 256;
  constexpr std::size_t elements_per_thread = 16;  // at least, where the input is long enough
  const std::size_t enough = (length + block * elements_per_thread - 1) / (block * elements_per_thread);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
  // </solution> return {1, 1};
}
