// SPDX-License-Identifier: MIT
// A sample of the block's chunk names its most frequent bin (bytes that are not counted are a bin as well).
// That one is never counted: in the end it is what the others (cub::BlockReduce) leave of the size of the
// chunk.
#include <cub/block/block_reduce.cuh>

#include "lab.hpp"

constexpr int kThreads = 256;
constexpr unsigned kChunk = 48 * 1024;
constexpr unsigned kSample = 1024;

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  constexpr int bins = Binning::bins, slots = bins + 1;  // slot 0: not counted; slot b + 1: bin b
  using Reduce = cub::BlockReduce<unsigned int, kThreads>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ unsigned int counts[slots];
  __shared__ unsigned int best;

  const std::size_t begin = std::size_t{blockIdx.x} * kChunk;
  const unsigned size = static_cast<unsigned>(length - begin < kChunk ? length - begin : kChunk);
  const unsigned char* const chunk = data + begin;

  for (int s = threadIdx.x; s < slots; s += kThreads) counts[s] = 0;
  if (threadIdx.x == 0) best = 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kSample && i < size; i += kThreads)
    atomicAdd(&counts[Binning::bin_of(chunk[i]) + 1], 1u);
  __syncthreads();
  for (int s = threadIdx.x; s < slots; s += kThreads) {
    if (counts[s] > 0) atomicMax(&best, counts[s] << 16 | static_cast<unsigned>(s));
    counts[s] = 0;
  }
  __syncthreads();
  const int mode = static_cast<int>(best & 0xffff);

  const auto count = [&](unsigned int byte) {
    const int slot = Binning::bin_of(static_cast<unsigned char>(byte & 0xff)) + 1;
    if (slot != mode) atomicAdd(&counts[slot], 1u);
  };
  const uint4* const in = reinterpret_cast<const uint4*>(chunk);
  for (unsigned i = threadIdx.x; i < size / 16; i += kThreads) {
    const uint4 v = in[i];
#pragma unroll
    for (int k = 0; k < 32; k += 8) {
      count(v.x >> k);
      count(v.y >> k);
      count(v.z >> k);
      count(v.w >> k);
    }
  }
  const unsigned rest = size / 16 * 16 + threadIdx.x;
  if (rest < size) count(chunk[rest]);
  __syncthreads();

  unsigned int others = 0;
  for (int s = threadIdx.x; s < slots; s += kThreads) {
    const unsigned int n = counts[s];
    others += n;
    if (s > 0 && n > 0) atomicAdd(&histo[s - 1], n);
  }
  others = Reduce(storage).Sum(others);
  if (threadIdx.x == 0 && mode > 0 && size > others) atomicAdd(&histo[mode - 1], size - others);
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + kChunk - 1) / kChunk), kThreads};
}
