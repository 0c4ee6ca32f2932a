// SPDX-License-Identifier: MIT
// The upsweep of Blelloch's scan over two elements a thread in dynamic shared memory, with an empty place
// after every 32 against bank conflicts.
#include "lab.hpp"

constexpr int kThreads = 256, kLeaves = 2 * kThreads;

__device__ __forceinline__ int padded(int index) { return index + (index >> 5); }

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using value = typename Operator::value;
  extern __shared__ __align__(16) unsigned char raw[];
  value* const leaves = reinterpret_cast<value*>(raw);

  const int t = threadIdx.x;
  const std::size_t gridStep = static_cast<std::size_t>(gridDim.x) * kLeaves;
  value low = Operator::identity(), high = Operator::identity();
  for (std::size_t tile = static_cast<std::size_t>(blockIdx.x) * kLeaves; tile < length; tile += gridStep) {
    if (tile + t < length) low = Operator::combine(low, data[tile + t]);
    if (tile + t + kThreads < length) high = Operator::combine(high, data[tile + t + kThreads]);
  }
  leaves[padded(t)] = low;
  leaves[padded(t + kThreads)] = high;

  int offset = 1;
#pragma unroll 1
  for (int nodes = kThreads; nodes > 0; nodes >>= 1) {
    __syncthreads();
    if (t < nodes) {
      const int left = padded(offset * (2 * t + 1) - 1);
      const int right = padded(offset * (2 * t + 2) - 1);
      leaves[right] = Operator::combine(leaves[left], leaves[right]);
    }
    offset <<= 1;
  }
  if (t == 0) partials[blockIdx.x] = leaves[padded(kLeaves - 1)];
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + kLeaves * 4 - 1) / (kLeaves * 4);
  const std::size_t cap = 8 * std::size_t{multiprocessors()};
  const std::size_t grid = tiles < 1 ? 1 : tiles < cap ? tiles : cap;
  return {static_cast<unsigned>(grid), kThreads, (kLeaves + kLeaves / 32) * 16};
}
