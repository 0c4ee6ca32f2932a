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
  // <solution>
  const unsigned mask = 0xffffffffu >> (lanes_of_warp - lanes);
  for (unsigned offset = lanes_of_warp / 2; offset > 0; offset /= 2) {
    const bool has_partner = lane + offset < lanes;
    const typename Operator::value other = shuffle_down(mask, own, has_partner ? offset : 0);
    if (has_partner) own = Operator::combine(own, other);
  }
  // </solution>
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
  // <solution>
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  Value own = Operator::identity();
  std::size_t i = thread;
  for (; i + (pieces_under_way - 1) * threads < count; i += pieces_under_way * threads) {
    Piece<Value> loaded[pieces_under_way];
    for (std::size_t k = 0; k < pieces_under_way; ++k) loaded[k] = pieces[i + k * threads];
    for (const Piece<Value>& piece : loaded) {
      for (const Value& value : piece.values) own = Operator::combine(own, value);
    }
  }
  for (; i < count; i += threads) {
    const Piece<Value> piece = pieces[i];
    for (const Value& value : piece.values) own = Operator::combine(own, value);
  }
  // </solution>
  // TODO 4: combine the elements before the first piece and those behind the last. They are fewer than a piece has, but a
  //         grid of one thread has to take them all.
  // <solution>
  const std::size_t behind = before + count * Piece<Value>::elements;
  for (std::size_t k = thread; k < before; k += threads) own = Operator::combine(own, data[k]);
  for (std::size_t k = behind + thread; k < length; k += threads) own = Operator::combine(own, data[k]);
  // </solution>
  // TODO 5: reduce the values of each warp. The last warp of a block may have fewer than 32 lanes.
  // <solution>
  const unsigned lane = threadIdx.x % lanes_of_warp, warp = threadIdx.x / lanes_of_warp;
  own = reduce_warp<Operator>(own, lane, min(lanes_of_warp, blockDim.x - warp * lanes_of_warp));
  // </solution>
  // TODO 6: put the warps' values into shared memory, one for each, and wait for all of them.
  // <solution>
  __shared__ typename Operator::value of_warps[most_warps];
  if (lane == 0) of_warps[warp] = own;
  __syncthreads();
  // </solution>
  // TODO 7: let the first warp reduce these values, and store the block's value.
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
  // TODO 8: launch as in `grid`; try twice the blocks that the device can hold.
  // <solution>
  constexpr unsigned block = 512;
  constexpr std::size_t elements_per_thread = 16;  // at least, where the input is long enough
  const std::size_t enough = (length + block * elements_per_thread - 1) / (block * elements_per_thread);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block);
  const std::size_t most = 2 * resident;  // places that come free are taken at once (lab 05)
  return {static_cast<unsigned>(enough < most ? enough : most), block};
  // </solution> return {1, 1};
}
