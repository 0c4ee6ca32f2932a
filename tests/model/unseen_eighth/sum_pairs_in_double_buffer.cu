// SPDX-License-Identifier: MIT
// Pairs of elements go through two buffers of registers: while one is combined the loads of the other are
// under way. A pair is one load of 8 bytes for numbers. The block's values meet by shuffles, twice.
#include "lab.hpp"

constexpr unsigned block_size = 256, warps = block_size / 32;
constexpr int depth = 4;

template <class Value>
struct alignas(sizeof(Value) < 8 ? 8 : 16) pair_of {
  Value first, second;
};

template <class Value>
struct buffer_of {
  pair_of<Value> pairs[depth];

  __device__ __forceinline__ void load(const pair_of<Value>* from, std::size_t stride) {
#pragma unroll
    for (int k = 0; k < depth; ++k) pairs[k] = from[k * stride];
  }
};

template <class Operator, unsigned lanes>
__device__ typename Operator::value reduce_lanes(typename Operator::value own) {
#pragma unroll
  for (unsigned offset = lanes / 2; offset > 0; offset /= 2) {
    // What lanes behind the last get is wrong, but no lane that matters takes it.
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  }
  return own;
}

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  using pair = pair_of<value>;
  const auto take = [](value& own, const pair& two) {
    own = Operator::combine(own, Operator::combine(two.first, two.second));
  };
  const std::size_t head = reinterpret_cast<std::uintptr_t>(data) % alignof(pair) != 0 && length > 0 ? 1 : 0;
  const std::size_t count = (length - head) / 2;
  const pair* const pairs = reinterpret_cast<const pair*>(data + head);
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x, step = depth * threads;

  value own = Operator::identity();
  std::size_t i = thread;
  const auto full = [&](std::size_t from) { return from + (depth - 1) * threads < count; };
  if (full(i)) {
    buffer_of<value> now, ahead;
    now.load(pairs + i, threads);
    for (i += step; full(i); i += step) {
      ahead.load(pairs + i, threads);
#pragma unroll
      for (int k = 0; k < depth; ++k) take(own, now.pairs[k]);
      now = ahead;
    }
#pragma unroll
    for (int k = 0; k < depth; ++k) take(own, now.pairs[k]);
  }
  for (; i < count; i += threads) take(own, pairs[i]);
  if (thread == 0 && head == 1) own = Operator::combine(own, data[0]);
  if (thread == 0 && head + 2 * count < length) own = Operator::combine(own, data[length - 1]);

  __shared__ value of_warps[warps];
  own = reduce_lanes<Operator, 32>(own);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  own = reduce_lanes<Operator, warps>(of_warps[threadIdx.x % warps]);
  if (threadIdx.x == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = std::size_t{block_size} * depth * 4;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block_size);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
