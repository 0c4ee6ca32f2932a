// SPDX-License-Identifier: MIT
// Two-level tiling in dynamic shared memory that is carved into a tile of input and a row of sums of warps; a
// thread then folds four neighbours of the tile, a warp its threads.
#include "lab.hpp"

constexpr unsigned warps = 6, threads = warps * 32, per_thread = 4, tile_size = threads * per_thread;
constexpr std::size_t largest_value = 16;

template <class T>
struct Carved {
  T* tile;
  T* sums;
  __device__ explicit Carved(uint4* room) : tile(reinterpret_cast<T*>(room)), sums(tile + tile_size) {}
};

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using T = typename Operator::value;
  extern __shared__ uint4 room[];
  static_assert(sizeof(T) <= largest_value);
  const Carved<T> shared(room);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  T own = Operator::identity();
  for (std::size_t first = std::size_t{blockIdx.x} * tile_size; first < length;
       first += std::size_t{gridDim.x} * tile_size) {
#pragma unroll
    for (unsigned k = 0; k < per_thread; ++k) {
      const unsigned place = k * threads + threadIdx.x;
      shared.tile[place] = first + place < length ? data[first + place] : Operator::identity();
    }
    __syncthreads();
    const T* const mine = shared.tile + threadIdx.x * per_thread;
    own = Operator::combine(
        own, Operator::combine(Operator::combine(mine[0], mine[1]), Operator::combine(mine[2], mine[3])));
    __syncthreads();
  }

  T* const row = shared.tile + warp * 32;
  row[lane] = own;
  __syncwarp();
  for (unsigned half = 16; half >= 1; half >>= 1) {
    if (lane < half) row[lane] = Operator::combine(row[lane], row[lane + half]);
    __syncwarp();
  }
  if (lane == 0) shared.sums[warp] = row[0];
  __syncthreads();
  if (threadIdx.x == 0) {
    T total = shared.sums[0];
    for (unsigned w = 1; w < warps; ++w) total = Operator::combine(total, shared.sums[w]);
    partials[blockIdx.x] = total;
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + 2 * tile_size - 1) / (2 * tile_size);
  const std::size_t most = 6 * std::size_t{multiprocessors()};
  const std::size_t grid = tiles == 0 ? 1 : tiles < most ? tiles : most;
  return {static_cast<unsigned>(grid), threads, (tile_size + warps) * largest_value};
}
