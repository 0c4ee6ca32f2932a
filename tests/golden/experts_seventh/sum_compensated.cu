// SPDX-License-Identifier: MIT
// Sums of floats are compensated in each thread: a second number gathers what the additions have rounded off.
// All other operators are combined plainly. Six warps, two elements a turn.
#include "lab.hpp"

constexpr unsigned block_size = 192, warps = block_size / 32;

template <class Operator>
struct Accumulator {
  typename Operator::value held = Operator::identity();
  __device__ __forceinline__ void add(const typename Operator::value& next) {
    held = Operator::combine(held, next);
  }
  __device__ __forceinline__ typename Operator::value result() const { return held; }
};

template <>
struct Accumulator<SumFloat> {
  float held = 0, lost = 0;
  __device__ __forceinline__ void add(float next) {
    const float sum = __fadd_rn(held, next);
    const float from_next = __fsub_rn(sum, held), from_held = __fsub_rn(sum, from_next);
    lost = __fadd_rn(lost, __fadd_rn(__fsub_rn(held, from_held), __fsub_rn(next, from_next)));
    held = sum;
  }
  // Behind an infinity nothing sensible was lost.
  __device__ __forceinline__ float result() const { return isfinite(lost) ? held + lost : held; }
};

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value of_warps[warps];
  Accumulator<Operator> sum;
  const std::size_t stride = std::size_t{gridDim.x} * block_size;
  std::size_t i = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  for (; i + stride < length; i += 2 * stride) {
    const value first = data[i], second = data[i + stride];
    sum.add(first);
    sum.add(second);
  }
  if (i < length) sum.add(data[i]);

  value own = sum.result();
#pragma unroll
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  }
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned k = 1; k < warps; ++k) own = Operator::combine(own, of_warps[k]);
  partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + block_size * 12 - 1) / (block_size * 12);
  const std::size_t most = 10 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(blocks < most ? blocks : most), block_size};
}
