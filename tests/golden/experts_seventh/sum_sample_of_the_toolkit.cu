// SPDX-License-Identifier: MIT
// After the toolkit's sample: at most 64 blocks of 512 threads take two elements a turn, the tree in shared
// memory is unrolled as a template of the block's size, and shuffles finish it in the first warp.
#include "lab.hpp"

constexpr unsigned maxBlocks = 64, numThreads = 512;

template <class Operator, unsigned blockSize>
__device__ __forceinline__ typename Operator::value reduceBlock(typename Operator::value* sdata,
                                                                typename Operator::value mySum) {
  const unsigned tid = threadIdx.x;
  sdata[tid] = mySum;
  __syncthreads();
  if constexpr (blockSize >= 1024) {
    if (tid < 512) sdata[tid] = mySum = Operator::combine(mySum, sdata[tid + 512]);
    __syncthreads();
  }
  if constexpr (blockSize >= 512) {
    if (tid < 256) sdata[tid] = mySum = Operator::combine(mySum, sdata[tid + 256]);
    __syncthreads();
  }
  if constexpr (blockSize >= 256) {
    if (tid < 128) sdata[tid] = mySum = Operator::combine(mySum, sdata[tid + 128]);
    __syncthreads();
  }
  if constexpr (blockSize >= 128) {
    if (tid < 64) sdata[tid] = mySum = Operator::combine(mySum, sdata[tid + 64]);
    __syncthreads();
  }
  if (tid < 32) {
    if constexpr (blockSize >= 64) mySum = Operator::combine(mySum, sdata[tid + 32]);
#pragma unroll
    for (unsigned offset = 16; offset > 0; offset /= 2) {
      mySum = Operator::combine(mySum, shuffle_down(0xffffffff, mySum, offset));
    }
  }
  return mySum;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* __restrict__ g_idata, std::size_t n,
                                 typename Operator::value* __restrict__ g_odata) {
  __shared__ typename Operator::value sdata[numThreads];
  typename Operator::value mySum = Operator::identity();
  const std::size_t gridSize = std::size_t{numThreads} * 2 * gridDim.x;
  std::size_t i = std::size_t{blockIdx.x} * numThreads * 2 + threadIdx.x;
  while (i < n) {
    mySum = Operator::combine(mySum, g_idata[i]);
    if (i + numThreads < n) mySum = Operator::combine(mySum, g_idata[i + numThreads]);
    i += gridSize;
  }
  mySum = reduceBlock<Operator, numThreads>(sdata, mySum);
  if (threadIdx.x == 0) g_odata[blockIdx.x] = mySum;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + numThreads * 2 - 1) / (numThreads * 2);
  return {static_cast<unsigned>(blocks < maxBlocks ? blocks : maxBlocks), numThreads};
}
