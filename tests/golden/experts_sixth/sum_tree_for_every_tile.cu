// SPDX-License-Identifier: MIT
// Persistent blocks, but the whole tree is done for every tile of 512 elements: nine levels with a barrier
// each, after which the first thread combines the tile's value with those before.
#include "lab.hpp"

constexpr unsigned block_size = 512;

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value values[block_size];
  value total = Operator::identity();
  for (std::size_t tile = std::size_t{blockIdx.x} * block_size; tile < length;
       tile += std::size_t{gridDim.x} * block_size) {
    const std::size_t i = tile + threadIdx.x;
    values[threadIdx.x] = i < length ? data[i] : Operator::identity();
    __syncthreads();
#pragma unroll
    for (unsigned half = block_size / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) {
        values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + half]);
      }
      __syncthreads();
    }
    if (threadIdx.x == 0) total = Operator::combine(total, values[0]);
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = total;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + block_size - 1) / block_size;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block_size);
  return {static_cast<unsigned>(tiles < most ? tiles : most), block_size};
}
