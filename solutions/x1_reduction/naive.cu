// SPDX-License-Identifier: MIT
// x1, naive: each block reduces 2 * blockDim.x elements to one value, by a tree over neighbouring pairs.
//
// Operator::combine(a, b) makes one value of two, and Operator::identity() changes nothing that it is combined with.
// Each block leaves its value in partials[blockIdx.x]; the harness launches the kernel again over these, until one value
// is left.
#include "lab.hpp"

constexpr unsigned largest_block = 1024;  // threads; CUDA allows no more

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  // TODO 1: declare an array in shared memory, two elements for each thread of the largest block.
  // <solution>
  __shared__ typename Operator::value values[2 * largest_block];
  // </solution>
  // TODO 2: let thread t of the block load the block's elements 2t and 2t + 1 into it; beyond the end of the input it
  //         stores the identity.
  // <solution>
  const unsigned left = 2 * threadIdx.x;
  const std::size_t position = std::size_t{2} * blockDim.x * blockIdx.x + left;
  values[left] = position < length ? data[position] : Operator::identity();
  values[left + 1] = position + 1 < length ? data[position + 1] : Operator::identity();
  // </solution>
  // TODO 3: write the loop over the steps of the tree. The stride between partners is 1, then 2, 4 and so on, as long as
  //         the block has partners that far apart.
  // TODO 4: in each step, wait until every thread of the block has finished the step before.
  // TODO 5: in each step, combine element 2t with the one a stride behind it, if t is a multiple of the stride and if
  //         there is an element behind it.
  // <solution>
  for (unsigned stride = 1; stride < 2 * blockDim.x; stride *= 2) {
    __syncthreads();
    if (threadIdx.x % stride == 0 && left + stride < 2 * blockDim.x) {
      values[left] = Operator::combine(values[left], values[left + stride]);
    }
  }
  // </solution>
  // TODO 6: let the thread that has the block's value store it in `partials`.
  // <solution>
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
  // </solution>
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 7: launch enough blocks for all elements, two for each thread.
  // <solution>
  constexpr unsigned block = 1024;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
  // </solution> return {1, 1};
}
