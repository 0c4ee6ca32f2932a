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
  return own;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  // TODO 3: combine this thread's elements as in `grid`; as long as there are elements_under_way of them, load these
  //         before you combine the first.
  // TODO 4: reduce the values of each warp. The last warp of a block may have fewer than 32 lanes.
  // TODO 5: put the warps' values into shared memory, one for each, and wait for all of them.
  // TODO 6: let the first warp reduce these values, and store the block's value.
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 7: launch as in `grid`.
  return {1, 1};
}
