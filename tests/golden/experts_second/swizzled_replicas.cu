// SPDX-License-Identifier: MIT
// Eight replicas of each counter lie side by side, and which of them a lane takes is its number exclusive-or
// the bin. The commit adds them up by two loads of 16 bytes.
#include "lab.hpp"

constexpr unsigned kReplicas = 8;
constexpr unsigned kThreads = 1024;

__device__ __forceinline__ unsigned swizzled(unsigned bin, unsigned replica) {
  return bin * kReplicas + (replica ^ (bin & (kReplicas - 1)));
}

__device__ __forceinline__ unsigned int sum(uint4 v) { return v.x + v.y + v.z + v.w; }

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ uint4 counts[Binning::bins * kReplicas / 4];
  for (unsigned i = threadIdx.x; i < Binning::bins * kReplicas / 4; i += kThreads)
    counts[i] = make_uint4(0, 0, 0, 0);
  __syncthreads();

  unsigned int* const counters = &counts[0].x;
  const unsigned replica = threadIdx.x & (kReplicas - 1);
  const std::size_t stride = std::size_t{gridDim.x} * kThreads;
  std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  for (; i + 3 * stride < length; i += 4 * stride) {
    const int b0 = Binning::bin_of(data[i]);
    const int b1 = Binning::bin_of(data[i + stride]);
    const int b2 = Binning::bin_of(data[i + 2 * stride]);
    const int b3 = Binning::bin_of(data[i + 3 * stride]);
    if (b0 >= 0) atomicAdd(&counters[swizzled(b0, replica)], 1u);
    if (b1 >= 0) atomicAdd(&counters[swizzled(b1, replica)], 1u);
    if (b2 >= 0) atomicAdd(&counters[swizzled(b2, replica)], 1u);
    if (b3 >= 0) atomicAdd(&counters[swizzled(b3, replica)], 1u);
  }
  for (; i < length; i += stride) {
    const int b = Binning::bin_of(data[i]);
    if (b >= 0) atomicAdd(&counters[swizzled(b, replica)], 1u);
  }
  __syncthreads();

  for (unsigned b = threadIdx.x; b < Binning::bins; b += kThreads) {
    const unsigned int n = sum(counts[2 * b]) + sum(counts[2 * b + 1]);
    if (n) atomicAdd(&histo[b], n);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + kThreads * 4 - 1) / (kThreads * 4);
  const std::size_t room = 2 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < room ? enough : room), kThreads};
}
