// SPDX-License-Identifier: MIT
#include "lab.hpp"

template <class Operator>
__device__ typename Operator::value sum_of_warp(typename Operator::value mine, unsigned lane, unsigned lanes) {
  unsigned mask = 0xffffffffu >> (32 - lanes);
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    typename Operator::value other = shuffle_down(mask, mine, offset);
    if (lane + offset < lanes) {
      mine = Operator::combine(mine, other);
    }
  }
  return mine;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* in, std::size_t n, typename Operator::value* out) {
  __shared__ typename Operator::value warp_values[32];
  std::size_t stride = gridDim.x * (std::size_t)blockDim.x;
  typename Operator::value mine = Operator::identity();
  for (std::size_t i = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x; i < n; i += stride) {
    mine = Operator::combine(mine, in[i]);
  }

  unsigned lane = threadIdx.x % 32;
  unsigned warp = threadIdx.x / 32;
  unsigned warps = (blockDim.x + 31) / 32;
  mine = sum_of_warp<Operator>(mine, lane, min(32u, blockDim.x - 32 * warp));
  if (lane == 0) {
    warp_values[warp] = mine;
  }
  __syncthreads();
  if (warp == 0) {
    mine = lane < warps ? warp_values[lane] : Operator::identity();
    mine = sum_of_warp<Operator>(mine, lane, min(32u, blockDim.x));
    if (lane == 0) out[blockIdx.x] = mine;
  }
}

LaunchShape launch_shape(std::size_t length) {
  std::size_t blocks = (length + 8191) / 8192;
  return {(unsigned)(blocks < 512 ? blocks : 512), 512};
}
