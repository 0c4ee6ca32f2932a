// SPDX-License-Identifier: MIT
// A tree of halves in shared memory whose every step is written with a ternary, so that each thread reads,
// chooses and writes; two elements a thread and round.
#include "lab.hpp"

constexpr unsigned kBlock = 256;

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value tree[kBlock];
  const unsigned t = threadIdx.x;
  value own = Operator::identity();
  for (std::size_t i = std::size_t{blockIdx.x} * 2 * kBlock + t; i < length;
       i += std::size_t{gridDim.x} * 2 * kBlock) {
    const bool both = i + kBlock < length;
    const value second = both ? data[i + kBlock] : Operator::identity();
    own = Operator::combine(own, Operator::combine(data[i], second));
  }
  tree[t] = own;
  __syncthreads();
#pragma unroll
  for (unsigned half = kBlock / 2; half > 0; half /= 2) {
    const value right = t < half ? tree[t + half] : Operator::identity();
    own = t < half ? Operator::combine(own, right) : own;
    if (t < half) tree[t] = own;
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + kBlock * 8 - 1) / (kBlock * 8);
  const std::size_t most = std::size_t{multiprocessors()} * 8;
  return {static_cast<unsigned>(blocks == 0 ? 1 : blocks < most ? blocks : most), kBlock};
}
