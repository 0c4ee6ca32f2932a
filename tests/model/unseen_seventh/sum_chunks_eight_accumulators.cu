// SPDX-License-Identifier: MIT
// Each block has one contiguous chunk, and a thread eight accumulators that do not depend on each other. The
// 1,024 values lie in shared memory as 32 rows; the first warp goes down the 32 columns, and shuffles make
// one value of the lanes'.
#include "lab.hpp"

constexpr unsigned rows = 32, columns = 32;
constexpr unsigned block_threads = rows * columns;
constexpr unsigned accumulators = 8;

template <class Operator>
__global__ void __launch_bounds__(block_threads)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* __restrict__ partials) {
  using Value = typename Operator::value;
  __shared__ Value values[rows][columns];
  const unsigned row = threadIdx.x / columns, column = threadIdx.x % columns;

  const std::size_t chunk = (length + gridDim.x - 1) / gridDim.x;
  const std::size_t begin = blockIdx.x * chunk < length ? blockIdx.x * chunk : length;
  const std::size_t end = length - begin < chunk ? length : begin + chunk;

  Value sums[accumulators];
#pragma unroll
  for (unsigned k = 0; k < accumulators; ++k) sums[k] = Operator::identity();
  std::size_t i = begin + threadIdx.x;
  for (; i + (accumulators - 1) * block_threads < end; i += accumulators * block_threads) {
#pragma unroll
    for (unsigned k = 0; k < accumulators; ++k)
      sums[k] = Operator::combine(sums[k], data[i + k * block_threads]);
  }
#pragma unroll
  for (unsigned k = 0; k < accumulators; ++k) {
    if (i + k * block_threads < end) sums[k] = Operator::combine(sums[k], data[i + k * block_threads]);
  }
#pragma unroll
  for (unsigned half = accumulators / 2; half > 0; half /= 2) {
#pragma unroll
    for (unsigned k = 0; k < half; ++k) sums[k] = Operator::combine(sums[k], sums[k + half]);
  }

  values[row][column] = sums[0];
  __syncthreads();
  if (row != 0) return;
  Value own = sums[0];
#pragma unroll 4
  for (unsigned r = 1; r < rows; ++r) own = Operator::combine(own, values[r][column]);
#pragma unroll
  for (unsigned offset = columns / 2; offset > 0; offset /= 2) {
    const bool partner = column + offset < columns;
    const Value other = shuffle_down(0xffffffffu, own, partner ? offset : 0);
    if (partner) own = Operator::combine(own, other);
  }
  if (column == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t each = block_threads * accumulators;
  const std::size_t enough = (length + each - 1) / each;
  const std::size_t most = std::size_t{2} * multiprocessors();
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
