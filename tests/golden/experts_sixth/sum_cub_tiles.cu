// SPDX-License-Identifier: MIT
// By the library: every thread keeps six accumulators for the six elements that it has of a tile, and
// cub::BlockReduce combines the items of all threads at the end.
#include <cub/block/block_reduce.cuh>

#include "lab.hpp"

constexpr unsigned block_size = 256, of_thread = 6, tile = block_size * of_thread;

template <class Operator>
struct combination {
  using value = typename Operator::value;
  __device__ __forceinline__ value operator()(const value& a, const value& b) const {
    return Operator::combine(a, b);
  }
};

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  using Reduce = cub::BlockReduce<value, block_size>;
  __shared__ typename Reduce::TempStorage room;
  value items[of_thread];
#pragma unroll
  for (value& item : items) item = Operator::identity();
  for (std::size_t base = std::size_t{blockIdx.x} * tile; base < length;
       base += std::size_t{gridDim.x} * tile) {
    if (base + tile <= length) {
#pragma unroll
      for (unsigned k = 0; k < of_thread; ++k) {
        items[k] = Operator::combine(items[k], data[base + k * block_size + threadIdx.x]);
      }
    } else {
      for (std::size_t i = base + threadIdx.x; i < length; i += block_size) {
        items[0] = Operator::combine(items[0], data[i]);
      }
    }
  }
  const value sum = Reduce(room).Reduce(items, combination<Operator>());
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tile - 1) / tile;
  const std::size_t most = 6 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(tiles < most ? tiles : most), block_size};
}
