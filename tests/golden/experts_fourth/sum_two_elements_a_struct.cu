// SPDX-License-Identifier: MIT
// Elements are read two at a time through a struct; each warp leaves its value, and every thread of the last
// warp folds them all.
#include "lab.hpp"

template <class Value>
struct alignas(sizeof(Value) < 8 ? 8 : 16) couple {
  Value a, b;
};

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using value = typename Operator::value;
  constexpr unsigned warps = 6;
  __shared__ value of_warps[warps];
  const couple<value>* const couples = reinterpret_cast<const couple<value>*>(data);
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  value own = Operator::identity();
  for (std::size_t i = thread; i < length / 2; i += threads) {
    const couple<value> both = couples[i];
    own = Operator::combine(own, Operator::combine(both.a, both.b));
  }
  if (thread == 0 && length % 2 == 1) own = Operator::combine(own, data[length - 1]);
  for (unsigned offset = 16; offset > 0; offset /= 2)
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x / 32 != warps - 1) return;
  own = of_warps[0];
  for (unsigned w = 1; w < warps; ++w) own = Operator::combine(own, of_warps[w]);
  if (threadIdx.x % 32 == 31) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 3071) / 3072;
  return {static_cast<unsigned>(enough < 264 ? enough : 264), 192};
}
