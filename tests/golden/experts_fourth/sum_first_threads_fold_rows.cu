// SPDX-License-Identifier: MIT
// Sixteen threads of the block fold a row of its values each, however many there are; the first folds theirs.
#include "lab.hpp"

constexpr unsigned folders = 16, most_threads = 512;

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value values[most_threads];
  __shared__ value of_rows[folders];
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  value own = Operator::identity();
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += threads)
    own = Operator::combine(own, data[i]);
  values[threadIdx.x] = own;
  __syncthreads();
  const unsigned row = blockDim.x / folders;
  if (threadIdx.x < folders) {
    value folded = Operator::identity();
    const value* const begin = values + threadIdx.x * row;
    for (unsigned k = 0; k < row; ++k) folded = Operator::combine(folded, begin[k]);
    of_rows[threadIdx.x] = folded;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    value all = of_rows[0];
    for (unsigned f = 1; f < folders; ++f) all = Operator::combine(all, of_rows[f]);
    partials[blockIdx.x] = all;
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 4095) / 4096;
  return {static_cast<unsigned>(enough < 264 ? enough : 264), most_threads};
}
