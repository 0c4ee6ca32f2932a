// SPDX-License-Identifier: MIT
// Reduction: each block takes one contiguous chunk of the input and walks through it with eight loads under
// way in each thread. The tree in shared memory needs barriers down to 64 values; the rest is one warp's,
// with __syncwarp.
#include "lab.hpp"

constexpr unsigned block_threads = 128;
constexpr unsigned under_way = 8;

template <class Operator>
__global__ void __launch_bounds__(block_threads)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using Value = typename Operator::value;
  const std::size_t chunk = (length + gridDim.x - 1) / gridDim.x;
  const std::size_t begin = blockIdx.x * chunk < length ? blockIdx.x * chunk : length;
  const std::size_t end = begin + chunk < length ? begin + chunk : length;

  Value own = Operator::identity();
  std::size_t i = begin + threadIdx.x;
  for (; i + (under_way - 1) * block_threads < end; i += under_way * block_threads) {
    Value loaded[under_way];
#pragma unroll
    for (unsigned k = 0; k < under_way; ++k) loaded[k] = data[i + k * block_threads];
#pragma unroll
    for (unsigned width = under_way / 2; width > 0; width /= 2) {
#pragma unroll
      for (unsigned k = 0; k < width; ++k) loaded[k] = Operator::combine(loaded[k], loaded[k + width]);
    }
    own = Operator::combine(own, loaded[0]);
  }
  for (; i < end; i += block_threads) own = Operator::combine(own, data[i]);

  __shared__ Value values[block_threads];
  values[threadIdx.x] = own;
  __syncthreads();
#pragma unroll
  for (unsigned half = block_threads / 2; half >= 32; half /= 2) {
    if (threadIdx.x < half) {
      values[threadIdx.x] = own = Operator::combine(own, values[threadIdx.x + half]);
    }
    __syncthreads();
  }
  if (threadIdx.x >= 32) return;
#pragma unroll
  for (unsigned half = 16; half > 0; half /= 2) {
    if (threadIdx.x < half) values[threadIdx.x] = own = Operator::combine(own, values[threadIdx.x + half]);
    __syncwarp();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = length / (block_threads * 2 * under_way) + 1;
  const std::size_t most =
      std::size_t{4} * multiprocessors() * resident_blocks(reduction_kernel<Sum>, block_threads);
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
