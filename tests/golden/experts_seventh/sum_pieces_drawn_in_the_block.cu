// SPDX-License-Identifier: MIT
// A block has one contiguous share, from which its seven warps draw pieces of 512 elements by a counter in
// shared memory. The warp that comes last to the end, whichever it is, combines the values of all.
#include "lab.hpp"

constexpr unsigned warps = 7, block_size = warps * 32, piece = 512, together = 4;

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value of_warps[warps];
  __shared__ unsigned int drawn, finished;
  if (threadIdx.x == 0) drawn = finished = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32;
  const std::size_t pieces = (length + piece - 1) / piece;
  const std::size_t share = (pieces + gridDim.x - 1) / gridDim.x;
  const std::size_t first = share * blockIdx.x;
  const std::size_t behind = first + share < pieces ? first + share : pieces;
  value own = Operator::identity();
  while (true) {
    unsigned int ticket = 0;
    if (lane == 0) ticket = atomicAdd(&drawn, 1u);
    ticket = __shfl_sync(0xffffffffu, ticket, 0);
    if (first + ticket >= behind) break;
    const std::size_t begin = (first + ticket) * piece;
    if (begin + piece <= length) {
      const value* const from = data + begin + lane;
      for (unsigned k = 0; k < piece; k += together * 32) {
        value loaded[together];
#pragma unroll
        for (unsigned j = 0; j < together; ++j) loaded[j] = from[k + j * 32];
#pragma unroll
        for (unsigned j = 0; j < together; ++j) own = Operator::combine(own, loaded[j]);
      }
    } else {
      for (std::size_t at = begin + lane; at < length; at += 32) own = Operator::combine(own, data[at]);
    }
  }

#pragma unroll
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  }
  if (lane != 0) return;
  of_warps[threadIdx.x / 32] = own;
  __threadfence_block();
  if (atomicAdd(&finished, 1u) != warps - 1) return;
  __threadfence_block();
  value all = of_warps[0];
#pragma unroll
  for (unsigned k = 1; k < warps; ++k) all = Operator::combine(all, of_warps[k]);
  partials[blockIdx.x] = all;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t of_block = 2 * warps * piece;
  const std::size_t blocks = (length + of_block - 1) / of_block;
  const std::size_t most = 5 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(blocks < most ? blocks : most), block_size};
}
