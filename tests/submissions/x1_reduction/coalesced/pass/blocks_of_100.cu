// SPDX-License-Identifier: MIT
// Right: blocks of 100 threads, an array of exactly their size, and a step of a grid for the whole.
// on a GPU: pass
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  constexpr unsigned block = 100;
  __shared__ typename Operator::value values[2 * block];
  const std::size_t first = std::size_t{2} * block * blockIdx.x;
  for (unsigned half = 0; half < 2; ++half) {
    const unsigned i = half * block + threadIdx.x;
    if (first + i >= length) values[i] = Operator::identity();
    else values[i] = data[first + i];
  }
  unsigned stride = 1;
  do {
    __syncthreads();
    const unsigned mine = 2 * threadIdx.x;
    const bool works = threadIdx.x % stride == 0 && mine + stride < 2 * block;
    if (works) values[mine] = Operator::combine(values[mine], values[mine + stride]);
    stride += stride;
  } while (stride < 2 * block);
  if (threadIdx.x == 0) partials[blockIdx.x] = values[0];
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 199) / 200), 100}; }
