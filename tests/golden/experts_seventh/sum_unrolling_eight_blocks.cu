// SPDX-License-Identifier: MIT
// From the textbook: a block takes eight blocks' worth of neighbouring data, then halves its values in shared
// memory, and the last warp's steps are written out. A block for every 4,096 elements.
#include "lab.hpp"

constexpr unsigned blockThreads = 512;

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* g_idata, std::size_t n,
                                 typename Operator::value* g_odata) {
  __shared__ typename Operator::value smem[blockThreads];
  const unsigned tid = threadIdx.x;
  const std::size_t idx = std::size_t{blockIdx.x} * blockDim.x * 8 + threadIdx.x;

  typename Operator::value localSum = Operator::identity();
  if (idx + 7 * blockDim.x < n) {
    const auto a1 = g_idata[idx];
    const auto a2 = g_idata[idx + blockDim.x];
    const auto a3 = g_idata[idx + 2 * blockDim.x];
    const auto a4 = g_idata[idx + 3 * blockDim.x];
    const auto b1 = g_idata[idx + 4 * blockDim.x];
    const auto b2 = g_idata[idx + 5 * blockDim.x];
    const auto b3 = g_idata[idx + 6 * blockDim.x];
    const auto b4 = g_idata[idx + 7 * blockDim.x];
    localSum = Operator::combine(a1, a2);
    localSum = Operator::combine(localSum, a3);
    localSum = Operator::combine(localSum, a4);
    localSum = Operator::combine(localSum, b1);
    localSum = Operator::combine(localSum, b2);
    localSum = Operator::combine(localSum, b3);
    localSum = Operator::combine(localSum, b4);
  } else {
    for (unsigned k = 0; k < 7; ++k) {  // not all eight are there
      if (idx + k * blockDim.x < n) localSum = Operator::combine(localSum, g_idata[idx + k * blockDim.x]);
    }
  }
  smem[tid] = localSum;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 32; stride >>= 1) {
    if (tid < stride) smem[tid] = Operator::combine(smem[tid], smem[tid + stride]);
    __syncthreads();
  }

  if (tid < 32) {
    auto own = Operator::combine(smem[tid], smem[tid + 32]);
    __syncwarp();
    smem[tid] = own;
    __syncwarp();
    if (tid < 16) smem[tid] = own = Operator::combine(own, smem[tid + 16]);
    __syncwarp();
    if (tid < 8) smem[tid] = own = Operator::combine(own, smem[tid + 8]);
    __syncwarp();
    if (tid < 4) smem[tid] = own = Operator::combine(own, smem[tid + 4]);
    __syncwarp();
    if (tid < 2) smem[tid] = own = Operator::combine(own, smem[tid + 2]);
    __syncwarp();
    if (tid == 0) g_odata[blockIdx.x] = Operator::combine(own, smem[1]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + blockThreads * 8 - 1) / (blockThreads * 8)), blockThreads};
}
