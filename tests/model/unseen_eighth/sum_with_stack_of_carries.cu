// SPDX-License-Identifier: MIT
// A thread adds as a binary counter counts: values of one, two, four ... quartets wait in a local array, and
// two of the same size become one of the next. So floats are summed in a tree from the first element on. The
// lanes' values are gathered by lane 0 of each warp, one after another, and those of the warps by thread 0.
#include "lab.hpp"

constexpr unsigned most_warps = 8, quartet = 4, most_levels = 40;

template <class Operator>
class carry_stack {
 public:
  using value = typename Operator::value;

  __device__ void push(value carried) {
    unsigned level = 0;
    for (unsigned long long ones = pushed_; ones & 1; ones >>= 1)
      carried = Operator::combine(waiting_[level++], carried);
    waiting_[level] = carried;
    ++pushed_;
  }

  __device__ value total() const {
    value all = Operator::identity();
    for (unsigned level = 0; level < most_levels && pushed_ >> level != 0; ++level) {
      if ((pushed_ >> level) & 1) all = Operator::combine(waiting_[level], all);
    }
    return all;
  }

 private:
  unsigned long long pushed_ = 0;
  value waiting_[most_levels];
};

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using value = typename Operator::value;
  carry_stack<Operator> stack;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + (quartet - 1) * threads < length; i += quartet * threads) {
    const value a = data[i], b = data[i + threads], c = data[i + 2 * threads], d = data[i + 3 * threads];
    stack.push(Operator::combine(Operator::combine(a, b), Operator::combine(c, d)));
  }
  for (; i < length; i += threads) stack.push(data[i]);

  __shared__ value of_lanes[most_warps][32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned lanes = min(32u, blockDim.x - warp * 32);
  of_lanes[warp][lane] = stack.total();
  __syncwarp(0xffffffffu >> (32 - lanes));
  if (lane == 0) {
    value all = of_lanes[warp][0];
    for (unsigned k = 1; k < lanes; ++k) all = Operator::combine(all, of_lanes[warp][k]);
    of_lanes[warp][0] = all;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    value all = of_lanes[0][0];
    for (unsigned w = 1; w * 32 < blockDim.x; ++w) all = Operator::combine(all, of_lanes[w][0]);
    partials[blockIdx.x] = all;
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = most_warps * 32;
  constexpr std::size_t of_block = std::size_t{block} * quartet * 3;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most = std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block);
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
