// SPDX-License-Identifier: MIT
// x1, shuffled: a thread loads 16 bytes at a time and has several such loads under way, and a warp reduces its values without
// shared memory.
//
// shuffle_down(mask, value, offset) gives each lane of the mask the value of the lane `offset` further on; a lane beyond
// the mask's last has no value to give. Each block leaves its value in partials[blockIdx.x].
#include "lab.hpp"

constexpr unsigned lanes_of_warp = 32;
constexpr unsigned most_warps = 1024 / lanes_of_warp;  // of a block
constexpr std::size_t pieces_under_way = 4;            // that a thread loads before it combines the first of them

// 16 bytes of elements at an address that is a multiple of 16: a thread reads it with one load.
template <class Value>
struct alignas(16) Piece {
  static constexpr std::size_t elements = 16 / sizeof(Value);
  Value values[elements];
};

// Combines the values of the first `lanes` lanes of this warp; lane 0 gets the result.
template <class Operator>
__device__ typename Operator::value reduce_warp(typename Operator::value own, unsigned lane, unsigned lanes) {
  // TODO 1: name the first `lanes` lanes in a mask, a bit each, the lowest for lane 0.
  // TODO 2: halve the offset from 16 to 1. In each step every lane of the mask takes part in the shuffle. It combines what
  //         it gets with its own value; if lane + offset is not below `lanes`, it asks itself (offset 0) and combines nothing.
  return own;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using Value = typename Operator::value;
  // `before` elements lie before the first address that is a multiple of 16, then come `count` pieces.
  const std::size_t to_aligned = (16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16 / sizeof(Value);
  const std::size_t before = to_aligned < length ? to_aligned : length;
  const Piece<Value>* const pieces = reinterpret_cast<const Piece<Value>*>(data + before);
  const std::size_t count = (length - before) / Piece<Value>::elements;
  // TODO 3: combine the elements of this thread's pieces, which follow each other as its elements did in `grid`; as long as
  //         there are pieces_under_way of them, load these before you combine the first.
  // TODO 4: combine the elements before the first piece and those behind the last. They are fewer than a piece has, but a
  //         grid of one thread has to take them all.
  // TODO 5: reduce the values of each warp. The last warp of a block may have fewer than 32 lanes.
  // TODO 6: put the warps' values into shared memory, one for each, and wait for all of them.
  // TODO 7: let the first warp reduce these values, and store the block's value.
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 8: launch as in `grid`; try twice the blocks that the device can hold.
  return {1, 1};
}
