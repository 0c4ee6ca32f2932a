// SPDX-License-Identifier: MIT
// x1, shuffled: a thread has several loads under way at a time, and a warp reduces its values without shared memory.
//
// shuffle_down(mask, value, offset) gives each lane of the mask the value of the lane `offset` further on; a lane beyond
// the mask's last has no value to give. Each block leaves its value in partials[blockIdx.x].
#include "lab.hpp"

constexpr unsigned lanes_of_warp = 32;
constexpr unsigned most_warps = 1024 / lanes_of_warp;  // of a block
constexpr std::size_t elements_under_way = 8;          // that a thread loads before it combines the first of them

// Combines the values of the first `lanes` lanes of this warp; lane 0 gets the result.
template <class Operator>
__device__ typename Operator::value reduce_warp(typename Operator::value own, unsigned lane, unsigned lanes) {
  // TODO 1: name the first `lanes` lanes in a mask, a bit each, the lowest for lane 0.
  // TODO 2: halve the offset from 16 to 1. In each step every lane of the mask takes part in the shuffle; a lane combines
  //         what it gets with its own value if the lane that it comes from is below `lanes`.
  // <solution>
  const unsigned mask = 0xffffffffu >> (lanes_of_warp - lanes);
  for (unsigned offset = lanes_of_warp / 2; offset > 0; offset /= 2) {
    const typename Operator::value other = shuffle_down(mask, own, offset);
    if (lane + offset < lanes) own = Operator::combine(own, other);
  }
  // </solution>
  return own;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  // TODO 3: combine this thread's elements as in `grid`; as long as there are elements_under_way of them, load these
  //         before you combine the first.
  // <solution>
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  typename Operator::value own = Operator::identity();
  std::size_t i = thread;
  for (; i + (elements_under_way - 1) * threads < length; i += elements_under_way * threads) {
    typename Operator::value loaded[elements_under_way];
    for (std::size_t k = 0; k < elements_under_way; ++k) loaded[k] = data[i + k * threads];
    for (std::size_t k = 0; k < elements_under_way; ++k) own = Operator::combine(own, loaded[k]);
  }
  for (; i < length; i += threads) own = Operator::combine(own, data[i]);
  // </solution>
  // TODO 4: reduce the values of each warp. The last warp of a block may have fewer than 32 lanes.
  // <solution>
  const unsigned lane = threadIdx.x % lanes_of_warp, warp = threadIdx.x / lanes_of_warp;
  own = reduce_warp<Operator>(own, lane, min(lanes_of_warp, blockDim.x - warp * lanes_of_warp));
  // </solution>
  // TODO 5: put the warps' values into shared memory, one for each, and wait for all of them.
  // <solution>
  __shared__ typename Operator::value of_warps[most_warps];
  if (lane == 0) of_warps[warp] = own;
  __syncthreads();
  // </solution>
  // TODO 6: let the first warp reduce these values, and store the block's value.
  // <solution>
  const unsigned warps = (blockDim.x + lanes_of_warp - 1) / lanes_of_warp;
  if (warp == 0) {
    own = lane < warps ? of_warps[lane] : Operator::identity();
    own = reduce_warp<Operator>(own, lane, min(lanes_of_warp, blockDim.x));
    if (lane == 0) partials[blockIdx.x] = own;
  }
  // </solution>
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 7: launch as in `grid`.
  // <solution>
  constexpr unsigned block = 256;
  constexpr std::size_t elements_per_thread = 16;  // at least, where the input is long enough
  const std::size_t enough = (length + block * elements_per_thread - 1) / (block * elements_per_thread);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
  // </solution> return {1, 1};
}
