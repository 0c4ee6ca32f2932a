// SPDX-License-Identifier: MIT
// Right: blocks draw tiles by an atomic, and the last one to finish sets the counter back.
#include "lab.hpp"

constexpr unsigned block_size = 256, of_thread = 16, tile = block_size * of_thread;

__device__ unsigned int next_ticket, finished;

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ unsigned int tickets[2];
  __shared__ value values[block_size / 32];
  if (threadIdx.x == 0) tickets[0] = atomicAdd(&next_ticket, 1u);
  __syncthreads();
  value own = Operator::identity();
  for (unsigned turn = 0;; ++turn) {
    const std::size_t begin = std::size_t{tickets[turn % 2]} * tile;
    if (begin >= length) break;
    if (threadIdx.x == 0) tickets[(turn + 1) % 2] = atomicAdd(&next_ticket, 1u);
    const value* const from = data + begin + threadIdx.x;
    if (begin + tile <= length) {
#pragma unroll
      for (unsigned k = 0; k < of_thread; k += 4) {
        const value a = from[k * block_size], b = from[(k + 1) * block_size];
        const value c = from[(k + 2) * block_size], d = from[(k + 3) * block_size];
        own = Operator::combine(own, Operator::combine(Operator::combine(a, b), Operator::combine(c, d)));
      }
    } else {
      for (std::size_t at = begin + threadIdx.x; at < length; at += block_size) {
        own = Operator::combine(own, data[at]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  }
  if (threadIdx.x % 32 == 0) values[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (unsigned k = 1; k < block_size / 32; ++k) own = Operator::combine(own, values[k]);
  partials[blockIdx.x] = own;
  __threadfence();
  if (atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1) {
    __threadfence();
    next_ticket = 0;
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tile - 1) / tile;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Farthest>, block_size);
  return {static_cast<unsigned>(tiles < most ? tiles : most), block_size};
}
