// SPDX-License-Identifier: MIT
// Wrong: the warps' values are made one after another by a thread, from those of all threads.
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  typename Operator::value own = Operator::identity();
  for (std::size_t i = thread; i < length; i += threads) own = Operator::combine(own, data[i]);
  __shared__ typename Operator::value values[1024];
  values[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    for (unsigned lane = 1; lane < 32 && threadIdx.x + lane < blockDim.x; ++lane) own = Operator::combine(own, values[threadIdx.x + lane]);
    values[threadIdx.x] = own;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned warp = 32; warp < blockDim.x; warp += 32) own = Operator::combine(own, values[warp]);
    partials[blockIdx.x] = own;
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + 16 * block - 1) / (16 * block);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
