// SPDX-License-Identifier: MIT
// Packs of sixteen bytes: four numbers, or one point. The elements before the first aligned pack and behind
// the last are taken singly. Four chains of results are kept apart until the end, and two packs are loaded
// ahead of those that are combined.
#include "lab.hpp"

constexpr unsigned block_size = 256;

template <class Value>
struct alignas(16) pack {
  static constexpr unsigned size = 16 / sizeof(Value);
  Value of[size];
};

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* __restrict__ partials) {
  using value = typename Operator::value;
  using packed = pack<value>;
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  const std::size_t skew = (-reinterpret_cast<std::uintptr_t>(data) & 15) / sizeof(value);
  const std::size_t head = skew < length ? skew : length;
  const std::size_t packs = (length - head) / packed::size;
  const packed* const body = reinterpret_cast<const packed*>(data + head);

  value chains[packed::size];
#pragma unroll
  for (value& chain : chains) chain = Operator::identity();
  const auto take = [&](const packed& from) {
#pragma unroll
    for (unsigned k = 0; k < packed::size; ++k) chains[k] = Operator::combine(chains[k], from.of[k]);
  };
  std::size_t i = thread;
  for (; i + threads < packs; i += 2 * threads) {
    const packed near = body[i], far = body[i + threads];
    take(near);
    take(far);
  }
  if (i < packs) take(body[i]);
  value own = chains[0];
#pragma unroll
  for (unsigned k = 1; k < packed::size; ++k) own = Operator::combine(own, chains[k]);
  if (thread < head) own = Operator::combine(own, data[thread]);
  const std::size_t tail = head + packs * packed::size + thread;
  if (tail < length) own = Operator::combine(own, data[tail]);

  __shared__ value of_warps[block_size / 32];
#pragma unroll
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  }
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x >= 8) return;
  own = of_warps[threadIdx.x];
#pragma unroll
  for (unsigned offset = 4; offset > 0; offset /= 2) {
    own = Operator::combine(own, shuffle_down(0xffu, own, offset));
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 16 - 1) / (block_size * 16);
  const std::size_t most = 4 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
