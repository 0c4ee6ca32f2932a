// SPDX-License-Identifier: MIT
// Each thread keeps eight independent chains of values, which it writes to shared memory as a row, against
// the banks. Columns are read back, and a tree of degree four does the rest: four values become one in each
// step.
#include "lab.hpp"

constexpr unsigned block_size = 256, chains = 8;

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* __restrict__ partials) {
  using value = typename Operator::value;
  __shared__ value values[block_size * chains];
  value chain[chains];
#pragma unroll
  for (unsigned k = 0; k < chains; ++k) chain[k] = Operator::identity();

  const std::size_t of_block = std::size_t{blockDim.x} * chains;
  std::size_t base = blockIdx.x * of_block;
  for (; base + of_block <= length; base += gridDim.x * of_block) {
    const value* const mine = data + base + threadIdx.x;
#pragma unroll
    for (unsigned k = 0; k < chains; ++k) chain[k] = Operator::combine(chain[k], mine[k * blockDim.x]);
  }
  if (base < length) {  // the last and incomplete part, of one block
#pragma unroll
    for (unsigned k = 0; k < chains; ++k) {
      const std::size_t i = base + k * blockDim.x + threadIdx.x;
      if (i < length) chain[k] = Operator::combine(chain[k], data[i]);
    }
  }

#pragma unroll
  for (unsigned k = 0; k < chains; ++k) values[threadIdx.x * chains + k] = chain[k];
  __syncthreads();
  value column = values[threadIdx.x];
#pragma unroll
  for (unsigned k = 1; k < chains; ++k)
    column = Operator::combine(column, values[k * blockDim.x + threadIdx.x]);
  __syncthreads();
  values[threadIdx.x] = column;
  for (unsigned count = blockDim.x; count > 1; count = (count + 3) / 4) {
    const unsigned quarter = (count + 3) / 4;
    __syncthreads();
    if (threadIdx.x < quarter) {
      for (unsigned partner = threadIdx.x + quarter; partner < count; partner += quarter) {
        values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[partner]);
      }
    }
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = std::size_t{block_size} * chains * 2;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most = std::size_t{multiprocessors()} * 4;
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
