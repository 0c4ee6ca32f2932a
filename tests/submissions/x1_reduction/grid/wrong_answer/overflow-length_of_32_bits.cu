// SPDX-License-Identifier: MIT
// Wrong: the length is kept in 32 bits, so that of 2^32 elements and more only those beyond a multiple of it are combined.
// on a GPU: wrong_answer overflow
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  const unsigned elements = length;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  typename Operator::value own = Operator::identity();
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < elements; i += threads) {
    own = Operator::combine(own, data[i]);
  }
  __shared__ typename Operator::value values[1024];
  values[threadIdx.x] = own;
  unsigned left = blockDim.x;
  while (left > 1) {
    const unsigned kept = left - left / 2;
    __syncthreads();
    if (threadIdx.x < left / 2) values[threadIdx.x] = Operator::combine(values[threadIdx.x], values[kept + threadIdx.x]);
    left = kept;
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 8191) / 8192, most = std::size_t{multiprocessors()} * 4;
  return {static_cast<unsigned>(enough < most ? enough : most), 512};
}
