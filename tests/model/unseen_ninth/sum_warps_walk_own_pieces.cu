// SPDX-License-Identifier: MIT
// Each warp has a contiguous piece of the input and walks it with a stride of 32 elements; the next one is
// loaded before the last one is combined. Ten warps a block, whose results one thread combines.
#include "lab.hpp"

constexpr unsigned block_size = 320, warps = block_size / 32;

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value of_warps[warps];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::size_t all_warps = std::size_t{gridDim.x} * warps;
  const std::size_t rows = (length + 31) / 32;
  const std::size_t piece = (rows + all_warps - 1) / all_warps * 32;
  const std::size_t begin = (std::size_t{blockIdx.x} * warps + warp) * piece;
  const std::size_t end = begin + piece < length ? begin + piece : length;

  value own = Operator::identity();
  if (begin + lane < end) {
    const value* from = data + begin + lane;
    const value* const stop = data + end;
    value next = *from;
    while (stop - from > 32) {
      from += 32;
      const value current = next;
      next = *from;
      own = Operator::combine(own, current);
    }
    own = Operator::combine(own, next);
  }
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
    if (lane + offset >= 32) own = Operator::identity();
  }
  if (lane == 0) of_warps[warp] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    own = of_warps[0];
#pragma unroll
    for (unsigned w = 1; w < warps; ++w) own = Operator::combine(own, of_warps[w]);
    partials[blockIdx.x] = own;
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 8 - 1) / (block_size * 8);
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block_size);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
