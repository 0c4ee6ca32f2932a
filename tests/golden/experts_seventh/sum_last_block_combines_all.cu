// SPDX-License-Identifier: MIT
// Memory fence and ticket: the block that finishes last combines what all blocks have left, stores it as the
// first block's value, and makes the values of the others the identity.
#include <cstring>

#include "lab.hpp"

constexpr unsigned block_size = 256;

__device__ unsigned int blocks_finished;

// Not from the cache of this multiprocessor.
template <class Value>
__device__ __forceinline__ Value fresh(const Value* from) {
  if constexpr (sizeof(Value) == sizeof(uint4)) {
    const uint4 raw = __ldcg(reinterpret_cast<const uint4*>(from));
    Value result;
    memcpy(&result, &raw, sizeof(result));
    return result;
  } else {
    return __ldcg(from);
  }
}

template <class Operator>
__device__ typename Operator::value of_block(typename Operator::value own, typename Operator::value* values) {
  values[threadIdx.x] = own;
  __syncthreads();
  for (unsigned half = block_size / 2; half >= 32; half /= 2) {
    if (threadIdx.x < half) values[threadIdx.x] = own = Operator::combine(own, values[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x < 32) {
    for (unsigned half = 16; half > 0; half /= 2) {
      own = Operator::combine(own, shuffle_down(0xffffffffu, own, half));
    }
  }
  return own;
}

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value values[block_size];
  __shared__ bool am_last;
  value own = Operator::identity();
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  std::size_t i = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  for (; i + 3 * threads < length; i += 4 * threads) {
    const value a = data[i], b = data[i + threads], c = data[i + 2 * threads], d = data[i + 3 * threads];
    own = Operator::combine(own, Operator::combine(Operator::combine(a, b), Operator::combine(c, d)));
  }
  for (; i < length; i += threads) own = Operator::combine(own, data[i]);
  own = of_block<Operator>(own, values);

  if (threadIdx.x == 0) {
    partials[blockIdx.x] = own;
    __threadfence();
    am_last = atomicInc(&blocks_finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!am_last) return;

  __threadfence();
  own = Operator::identity();
  for (unsigned k = threadIdx.x; k < gridDim.x; k += block_size) {
    own = Operator::combine(own, fresh(partials + k));
    if (k > 0) partials[k] = Operator::identity();
  }
  own = of_block<Operator>(own, values);
  if (threadIdx.x == 0) partials[0] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + block_size * 16 - 1) / (block_size * 16);
  const std::size_t most = 3 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(blocks < most ? blocks : most), block_size};
}
