// SPDX-License-Identifier: MIT
// Each block has an even share of tiles that follow one another. A full tile comes as four vectors of 16
// bytes a thread, whose items are combined in a tree in registers; the last tile is taken item by item.
#include "lab.hpp"

constexpr unsigned kBlockThreads = 256, kVectors = 4, kWarps = kBlockThreads / 32;

template <class T>
struct alignas(16) Vector {
  static constexpr unsigned size = 16 / sizeof(T);
  T items[size];
};

template <class Operator, unsigned kItems>
__device__ __forceinline__ typename Operator::value ThreadReduce(
    const typename Operator::value (&items)[kItems]) {
  typename Operator::value level[kItems];
#pragma unroll
  for (unsigned i = 0; i < kItems; ++i) level[i] = items[i];
#pragma unroll
  for (unsigned half = kItems / 2; half > 0; half /= 2) {
#pragma unroll
    for (unsigned i = 0; i < half; ++i) level[i] = Operator::combine(level[i], level[i + half]);
  }
  return level[0];
}

template <class Operator>
__global__ void __launch_bounds__(kBlockThreads)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* __restrict__ partials) {
  using T = typename Operator::value;
  constexpr unsigned kPerVector = Vector<T>::size, kItems = kVectors * kPerVector;
  constexpr std::size_t kTile = std::size_t{kBlockThreads} * kItems;
  __shared__ T warp_aggregates[kWarps];

  const std::size_t tiles = (length + kTile - 1) / kTile;
  const std::size_t small = tiles / gridDim.x, large_shares = tiles % gridDim.x;
  const std::size_t before = blockIdx.x < large_shares ? blockIdx.x : large_shares;
  const std::size_t first = small * blockIdx.x + before;
  const std::size_t end = first + small + (blockIdx.x < large_shares ? 1 : 0);
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % 16 == 0;

  T aggregate = Operator::identity();
  for (std::size_t tile = first; tile < end; ++tile) {
    const std::size_t offset = tile * kTile;
    if (aligned && offset + kTile <= length) {
      const Vector<T>* const vectors = reinterpret_cast<const Vector<T>*>(data + offset) + threadIdx.x;
      T items[kItems];
#pragma unroll
      for (unsigned v = 0; v < kVectors; ++v) {
        const Vector<T> vector = vectors[v * kBlockThreads];
#pragma unroll
        for (unsigned i = 0; i < kPerVector; ++i) items[v * kPerVector + i] = vector.items[i];
      }
      aggregate = Operator::combine(aggregate, ThreadReduce<Operator>(items));
    } else {
      const std::size_t behind = offset + kTile < length ? offset + kTile : length;
      for (std::size_t i = offset + threadIdx.x; i < behind; i += kBlockThreads) {
        aggregate = Operator::combine(aggregate, data[i]);
      }
    }
  }

#pragma unroll
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const T addend = shuffle_down(0xffffffffu, aggregate, offset);
    if (threadIdx.x % 32 + offset < 32) aggregate = Operator::combine(aggregate, addend);
  }
  if (threadIdx.x % 32 == 0) warp_aggregates[threadIdx.x / 32] = aggregate;
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll
    for (unsigned w = 1; w < kWarps; ++w) aggregate = Operator::combine(aggregate, warp_aggregates[w]);
    partials[blockIdx.x] = aggregate;
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = std::size_t{kBlockThreads} * kVectors * 4;
  const std::size_t tiles = (length + tile - 1) / tile;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, kBlockThreads) * 2;
  return {static_cast<unsigned>(tiles < most ? tiles : most), kBlockThreads};
}
