// SPDX-License-Identifier: MIT
// Each thread combines four sums of its own, which do not wait for one another; blocks of 512 threads.
#include "lab.hpp"

constexpr unsigned block = 512;

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using Value = typename Operator::value;
  const std::size_t threads = std::size_t{gridDim.x} * block;
  Value sums[4] = {Operator::identity(), Operator::identity(), Operator::identity(), Operator::identity()};
  std::size_t i = std::size_t{blockIdx.x} * block + threadIdx.x;
  for (; i + 3 * threads < length; i += 4 * threads) {
    for (unsigned k = 0; k < 4; ++k) sums[k] = Operator::combine(sums[k], data[i + k * threads]);
  }
  for (; i < length; i += threads) sums[0] = Operator::combine(sums[0], data[i]);
  const Value own =
      Operator::combine(Operator::combine(sums[0], sums[1]), Operator::combine(sums[2], sums[3]));
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
                    most = std::size_t{multiprocessors()} * 3;
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
