// SPDX-License-Identifier: MIT
// A block without elements, and warps without elements, leave early; the others fold contiguous shares, and
// the tree is unrolled by hand and stops at the number of threads that hold something.
#include "lab.hpp"

constexpr unsigned kThreads = 512;

template <class Operator>
__device__ void step_of_tree(typename Operator::value* shared, unsigned half, unsigned holding) {
  const unsigned t = threadIdx.x;
  if (t < half && t + half < holding) shared[t] = Operator::combine(shared[t], shared[t + half]);
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value shared[kThreads];
  const unsigned t = threadIdx.x;
  const std::size_t share = (length + gridDim.x - 1) / gridDim.x;
  const std::size_t begin = share * blockIdx.x;
  if (begin >= length) {
    if (t == 0) partials[blockIdx.x] = Operator::identity();
    return;
  }
  const std::size_t count = length - begin < share ? length - begin : share;
  const unsigned holding = count < kThreads ? static_cast<unsigned>(count) : kThreads;

  if (t < holding) {
    const value* p = data + begin + t;
    const value* const end = data + begin + count;
    value own = *p;
    std::size_t left = static_cast<std::size_t>(end - p);
    while (left > kThreads) {
      p += kThreads;
      left -= kThreads;
      own = Operator::combine(own, *p);
    }
    shared[t] = own;
  }
  __syncthreads();
  if (holding > 256) {
    step_of_tree<Operator>(shared, 256, holding);
    __syncthreads();
  }
  if (holding > 128) {
    step_of_tree<Operator>(shared, 128, min(holding, 256u));
    __syncthreads();
  }
  if (holding > 64) {
    step_of_tree<Operator>(shared, 64, min(holding, 128u));
    __syncthreads();
  }
  if (t >= 32) return;
  step_of_tree<Operator>(shared, 32, min(holding, 64u));
  __syncwarp();
  step_of_tree<Operator>(shared, 16, min(holding, 32u));
  __syncwarp();
  step_of_tree<Operator>(shared, 8, min(holding, 16u));
  __syncwarp();
  step_of_tree<Operator>(shared, 4, min(holding, 8u));
  __syncwarp();
  step_of_tree<Operator>(shared, 2, min(holding, 4u));
  __syncwarp();
  if (t == 0) partials[blockIdx.x] = holding > 1 ? Operator::combine(shared[0], shared[1]) : shared[0];
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + kThreads * 8 - 1) / (kThreads * 8);
  const std::size_t most = 4 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(blocks < 1 ? 1 : blocks > most ? most : blocks), kThreads};
}
