// SPDX-License-Identifier: MIT
// An exclusive scan (up-sweep, down-sweep) over the flags of the bins in use compacts their list, so that the commit is
// done by neighbouring threads without a branch for empty bins.
#include "lab.hpp"

constexpr int kThreads = 256;

__host__ __device__ constexpr int power_of_two(int n) {
  int p = 1;
  while (p < n) p *= 2;
  return p;
}

// Replaces each of N values by the sum of those before it and returns the sum of all, to every thread.
template <int N>
__device__ int exclusive_scan(int* values) {
  static_assert(N <= 2 * kThreads);
  const int t = threadIdx.x;
  int offset = 1;
  for (int d = N / 2; d > 0; d /= 2, offset *= 2) {
    __syncthreads();
    if (t < d) values[offset * (2 * t + 2) - 1] += values[offset * (2 * t + 1) - 1];
  }
  __syncthreads();
  const int sum = values[N - 1];
  __syncthreads();
  if (t == 0) values[N - 1] = 0;
  for (int d = 1; d < N; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
      const int before = values[left];
      values[left] = values[right];
      values[right] += before;
    }
  }
  __syncthreads();
  return sum;
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int bins = Binning::bins, rounded = power_of_two(bins);
  static_assert(rounded <= kThreads);
  __shared__ unsigned int counts[bins];
  __shared__ int place[rounded];
  __shared__ unsigned short used[bins];

  const int t = threadIdx.x;
  if (t < bins) counts[t] = 0;
  __syncthreads();

  const std::size_t stride = std::size_t{gridDim.x} * kThreads;
#pragma unroll 4
  for (std::size_t i = std::size_t{blockIdx.x} * kThreads + t; i < length; i += stride) {
    const int bin = Binning::bin_of(__ldcs(data + i));
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();

  const bool in_use = t < bins && counts[t] != 0;
  if (t < rounded) place[t] = in_use;
  const int n = exclusive_scan<rounded>(place);
  if (in_use) used[place[t]] = static_cast<unsigned short>(t);
  __syncthreads();
  if (t < n) atomicAdd(&histo[used[t]], counts[used[t]]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * 24;
  const std::size_t blocks = (length + tile - 1) / tile;
  const std::size_t most = std::size_t{multiprocessors()} * 8;
  return {static_cast<unsigned>(blocks < most ? blocks : most), kThreads};
}
