// SPDX-License-Identifier: MIT
// As one would write it with asynchronous copies, but without them: three tiles in a ring of shared memory,
// one of which is combined while the loads for the one after next are under way. One barrier a tile. A thread
// combines four neighbours of the tile.
#include "lab.hpp"

constexpr unsigned block_size = 128, of_thread = 4, tile = block_size * of_thread, stages = 3;

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value ring[stages][tile];
  const std::size_t step = std::size_t{gridDim.x} * tile;
  value coming[of_thread];
  const auto load = [&](std::size_t begin) {
#pragma unroll
    for (unsigned k = 0; k < of_thread; ++k) {
      const std::size_t at = begin + k * block_size + threadIdx.x;
      coming[k] = at < length ? data[at] : Operator::identity();
    }
  };
  const auto store = [&](unsigned stage) {
#pragma unroll
    for (unsigned k = 0; k < of_thread; ++k) ring[stage][k * block_size + threadIdx.x] = coming[k];
  };
  std::size_t begin = std::size_t{blockIdx.x} * tile;
  load(begin);
  store(0);
  load(begin + step);
  store(1);
  __syncthreads();
  value own = Operator::identity();
  unsigned stage = 0;
  for (; begin < length; begin += step) {
    load(begin + 2 * step);
    const value* const mine = ring[stage] + threadIdx.x * of_thread;
    own = Operator::combine(
        own, Operator::combine(Operator::combine(mine[0], mine[1]), Operator::combine(mine[2], mine[3])));
    store(stage == 0 ? 2 : stage - 1);
    stage = stage == 2 ? 0 : stage + 1;
    __syncthreads();
  }
  // A tree in what was the ring.
  value* const values = ring[0];
  values[threadIdx.x] = own;
  __syncthreads();
  for (unsigned half = block_size / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + half]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tile - 1) / tile;
  const std::size_t most = 8 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(tiles < most ? tiles : most), block_size};
}
