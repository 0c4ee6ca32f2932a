// SPDX-License-Identifier: MIT
// The plain grid-stride loop with eight turns unrolled by the compiler, for two blocks of 1,024 threads on
// each multiprocessor; then two levels of shuffles.
#include "lab.hpp"

template <class Operator>
__device__ typename Operator::value warp_reduce(typename Operator::value v) {
#pragma unroll
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    v = Operator::combine(v, shuffle_down(0xffffffff, v, offset));
  return v;
}

template <class Operator>
__device__ typename Operator::value block_reduce(typename Operator::value v) {
  __shared__ typename Operator::value shared[32];
  const int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
  v = warp_reduce<Operator>(v);
  if (lane == 0) shared[wid] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / warpSize ? shared[lane] : Operator::identity();
  if (wid == 0) v = warp_reduce<Operator>(v);
  return v;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* in, std::size_t n,
                                 typename Operator::value* out) {
  typename Operator::value v = Operator::identity();
#pragma unroll 8
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{blockDim.x} * gridDim.x) {
    v = Operator::combine(v, in[i]);
  }
  v = block_reduce<Operator>(v);
  if (threadIdx.x == 0) out[blockIdx.x] = v;
}

LaunchShape launch_shape(std::size_t length) {
  const unsigned threads = 1024;
  const std::size_t blocks = (length + threads - 1) / threads, most = 2 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(blocks < most ? blocks : most), threads};
}
