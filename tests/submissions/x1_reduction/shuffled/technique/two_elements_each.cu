// SPDX-License-Identifier: MIT
// Wrong: shuffles, by as many threads as there are pairs of elements.
#include "lab.hpp"

template <class Operator>
__device__ typename Operator::value reduce_warp(typename Operator::value own, unsigned lane, unsigned lanes) {
  const unsigned mask = 0xffffffffu >> (32 - lanes);
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const typename Operator::value other = shuffle_down(mask, own, offset);
    if (lane + offset < lanes) own = Operator::combine(own, other);
  }
  return own;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x * 2 + threadIdx.x;
  typename Operator::value own = first < length ? data[first] : Operator::identity();
  if (first + blockDim.x < length) own = Operator::combine(own, data[first + blockDim.x]);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  own = reduce_warp<Operator>(own, lane, min(32u, blockDim.x - warp * 32));
  __shared__ typename Operator::value of_warps[32];
  if (lane == 0) of_warps[warp] = own;
  __syncthreads();
  const unsigned warps = (blockDim.x + 31) / 32;
  if (warp == 0) {
    own = lane < warps ? of_warps[lane] : Operator::identity();
    own = reduce_warp<Operator>(own, lane, min(32u, blockDim.x));
    if (lane == 0) partials[blockIdx.x] = own;
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + 2 * block - 1) / (2 * block)), block};
}
