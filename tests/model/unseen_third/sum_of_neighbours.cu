// SPDX-License-Identifier: MIT
// Each thread combines elements that follow one another: as many as the grid's threads share out.
#include "lab.hpp"

constexpr unsigned block = 64;

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using Value = typename Operator::value;
  const std::size_t threads = std::size_t{gridDim.x} * block, each = (length + threads - 1) / threads;
  const std::size_t begin = (std::size_t{blockIdx.x} * block + threadIdx.x) * each;
  const std::size_t end = begin + each < length ? begin + each : length;
  Value own = Operator::identity();
  for (std::size_t i = begin; i < end; ++i) own = Operator::combine(own, data[i]);
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
  const std::size_t enough = (length + 4 * block - 1) / (4 * block),
                    most = std::size_t{multiprocessors()} * 16;
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
