// SPDX-License-Identifier: MIT
// Two elements a thread, then a tree in shared memory. One block for each 512 elements.
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  __shared__ typename Operator::value values[256];
  unsigned t = threadIdx.x;
  std::size_t i = std::size_t{blockIdx.x} * 512 + t;
  typename Operator::value mine = Operator::identity();
  if (i < length) mine = data[i];
  if (i + 256 < length) mine = Operator::combine(mine, data[i + 256]);
  values[t] = mine;
  __syncthreads();
  for (unsigned stride = 128; stride > 0; stride /= 2) {
    if (t < stride) {
      values[t] = Operator::combine(values[t], values[t + stride]);
    }
    __syncthreads();
  }
  if (t == 0) {
    partials[blockIdx.x] = values[0];
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 511) / 512), 256}; }
