// SPDX-License-Identifier: MIT
// The threads form a matrix of fifteen rows of 32. The first warp folds each column; then its first thread
// folds the lower half of the columns' sums and its last thread the upper half.
#include "lab.hpp"

constexpr int kRows = 15, kColumns = 32, kThreads = kRows * kColumns;

template <class Operator>
__global__ void __launch_bounds__(kThreads)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value matrix[kRows][kColumns + 1];
  const int row = threadIdx.x / kColumns, column = threadIdx.x % kColumns;

  value sum = Operator::identity();
  const std::size_t step = std::size_t{gridDim.x} * kThreads;
  std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < length) {
    sum = data[i];
    for (i += step; i < length; i += step) sum = Operator::combine(data[i], sum);
  }
  matrix[row][column] = sum;
  __syncthreads();
  if (row != 0) return;

#pragma unroll
  for (int r = 1; r < kRows; ++r) sum = Operator::combine(sum, matrix[r][column]);
  matrix[0][column] = sum;
  __syncwarp();
  if (column == 0) {
#pragma unroll 1
    for (int c = 1; c < kColumns / 2; ++c) sum = Operator::combine(sum, matrix[0][c]);
  } else if (column == kColumns - 1) {
#pragma unroll 1
    for (int c = kColumns / 2; c < kColumns - 1; ++c) sum = Operator::combine(sum, matrix[0][c]);
    matrix[1][0] = sum;
  }
  __syncwarp();
  if (column == 0) partials[blockIdx.x] = Operator::combine(sum, matrix[1][0]);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + kThreads * 12 - 1) / (kThreads * 12);
  const std::size_t most = 4 * std::size_t{multiprocessors()};
  return {blocks == 0 ? 1u : static_cast<unsigned>(blocks < most ? blocks : most), kThreads};
}
