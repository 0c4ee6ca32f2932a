// SPDX-License-Identifier: MIT
// A large block on every other multiprocessor; each turn of a thread has one load, and no two are under way.
#include "lab.hpp"

constexpr unsigned block = 1024;

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using Value = typename Operator::value;
  const std::size_t threads = std::size_t{gridDim.x} * block;
  Value own = Operator::identity();
  for (std::size_t i = std::size_t{blockIdx.x} * block + threadIdx.x; i < length; i += threads)
    own = Operator::combine(own, data[i]);
  __shared__ Value values[block];
  values[threadIdx.x] = own;
  for (unsigned half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 2 * block - 1) / (2 * block),
                    most = (std::size_t{multiprocessors()} + 1) / 2;
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
