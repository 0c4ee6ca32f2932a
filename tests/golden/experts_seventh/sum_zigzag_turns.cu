// SPDX-License-Identifier: MIT
// Blocks take tiles in a zigzag: in every other turn the last block is the first. The six elements that a
// thread has of the next tile are under way while those of this one are combined. Five warps a block.
#include "lab.hpp"

constexpr unsigned block_size = 160, of_thread = 6;
constexpr std::size_t tile = std::size_t{block_size} * of_thread;

template <class Operator>
struct Batch {
  typename Operator::value items[of_thread];

  __device__ __forceinline__ void load(const typename Operator::value* data, std::size_t begin,
                                       std::size_t length) {
    const std::size_t first = begin + threadIdx.x;
    if (begin + tile <= length) {
#pragma unroll
      for (unsigned k = 0; k < of_thread; ++k) items[k] = data[first + k * block_size];
    } else {
#pragma unroll
      for (unsigned k = 0; k < of_thread; ++k) {
        const std::size_t at = first + k * block_size;
        items[k] = at < length ? data[at] : Operator::identity();
      }
    }
  }
};

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* __restrict__ partials) {
  using value = typename Operator::value;
  __shared__ value of_warps[block_size / 32];
  const auto begin_of_turn = [&](std::size_t turn) {
    const unsigned place = turn % 2 == 0 ? blockIdx.x : gridDim.x - 1 - blockIdx.x;
    return (turn * gridDim.x + place) * tile;
  };
  const std::size_t of_turn = gridDim.x * tile, turns = (length + of_turn - 1) / of_turn;
  value own = Operator::identity();
  Batch<Operator> next;
  next.load(data, begin_of_turn(0), length);
  for (std::size_t turn = 0; turn < turns; ++turn) {
    const Batch<Operator> here = next;
    if (turn + 1 < turns) next.load(data, begin_of_turn(turn + 1), length);
#pragma unroll
    for (unsigned k = 0; k < of_thread; k += 2) {
      own = Operator::combine(own, Operator::combine(here.items[k], here.items[k + 1]));
    }
  }
#pragma unroll
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const value further = shuffle_down(0xffffffffu, own, offset);
    if (threadIdx.x % (2 * offset) == 0) own = Operator::combine(own, further);
  }
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
#pragma unroll
  for (unsigned k = 1; k < block_size / 32; ++k) own = Operator::combine(own, of_warps[k]);
  partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + tile - 1) / tile;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Farthest>, block_size);
  return {static_cast<unsigned>(blocks < most ? blocks : most), block_size};
}
