// SPDX-License-Identifier: MIT
// A thread combines the element i with the one that lies as far from the end, so that the grid walks through
// the input from both ends and meets itself in the middle. Ten warps a block, two pairs under way.
#include "lab.hpp"

constexpr unsigned block_size = 320;

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value of_warps[block_size / 32];
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  const std::size_t half = length / 2;
  const value* const last = data + length - 1;
  value rising = Operator::identity(), falling = Operator::identity();
  std::size_t i = thread;
  for (; i + threads < half; i += 2 * threads) {
    const value a = data[i], b = data[i + threads];
    const value z = *(last - i), y = *(last - i - threads);
    rising = Operator::combine(rising, Operator::combine(a, b));
    falling = Operator::combine(falling, Operator::combine(z, y));
  }
  if (i < half) {
    rising = Operator::combine(rising, data[i]);
    falling = Operator::combine(falling, *(last - i));
  }
  if (length % 2 == 1 && thread == 0) rising = Operator::combine(rising, data[half]);
  value own = Operator::combine(rising, falling);
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  }
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) of_warps[warp] = own;
  __syncthreads();
  if (warp > 0) return;
  own = lane < block_size / 32 ? of_warps[lane] : Operator::identity();
  for (unsigned offset = 8; offset > 0; offset /= 2) {
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  }
  if (lane == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 8 - 1) / (block_size * 8);
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block_size);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
