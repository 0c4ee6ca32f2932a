// SPDX-License-Identifier: MIT
// Software pipelining by hand: three vectors of 16 bytes of each thread are always under way, streaming
// loads, in registers that take turns. Blocks of three warps; the first warp takes the others' values lane by
// lane before it shuffles.
#include "lab.hpp"

constexpr unsigned block_size = 96;

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  constexpr unsigned of_vector = sizeof(uint4) / sizeof(value);
  __shared__ value of_others[block_size - 32];
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  const std::size_t skew = (-reinterpret_cast<std::uintptr_t>(data) & 15) / sizeof(value);
  const std::size_t head = skew < length ? skew : length;
  const std::size_t number = (length - head) / of_vector;
  const uint4* const vectors = reinterpret_cast<const uint4*>(data + head);
  value own = Operator::identity();
  const auto load = [&](std::size_t i) { return i < number ? __ldcs(vectors + i) : make_uint4(0, 0, 0, 0); };
  const auto take = [&](const uint4& vector, std::size_t i) {
    if (i >= number) return;
    value values[of_vector];
    memcpy(values, &vector, sizeof vector);
#pragma unroll
    for (unsigned half = of_vector / 2; half > 0; half /= 2) {
#pragma unroll
      for (unsigned k = 0; k < half; ++k) values[k] = Operator::combine(values[k], values[k + half]);
    }
    own = Operator::combine(own, values[0]);
  };
  std::size_t i = thread;
  uint4 a = load(i), b = load(i + threads), c = load(i + 2 * threads);
  for (; i < number; i += 3 * threads) {
    take(a, i);
    a = load(i + 3 * threads);
    take(b, i + threads);
    b = load(i + 4 * threads);
    take(c, i + 2 * threads);
    c = load(i + 5 * threads);
  }
  if (thread < head) own = Operator::combine(own, data[thread]);
  const std::size_t rest = head + number * of_vector + thread;
  if (rest < length) own = Operator::combine(own, data[rest]);

  if (threadIdx.x >= 32) of_others[threadIdx.x - 32] = own;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  own = Operator::combine(own, Operator::combine(of_others[threadIdx.x], of_others[threadIdx.x + 32]));
#pragma unroll
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 12 - 1) / (block_size * 12);
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Farthest>, block_size);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
