// SPDX-License-Identifier: MIT
// The result is updated two bins at a time by 64-bit atomics in global memory: no count exceeds 32 bits, so nothing is
// carried from the lower bin to the upper one. The input comes in by eight bytes, a few tables in dynamic shared memory.
#include "lab.hpp"

constexpr unsigned kThreads = 384;
constexpr unsigned kTables = 4;  // three warps each

extern __shared__ uint2 pair_counts[];

template <class Binning>
__device__ __forceinline__ void add_byte(unsigned int* table, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  if (bin >= 0) atomicAdd(&table[bin], 1u);
}

__device__ __forceinline__ void commit(unsigned int* histo, unsigned pair, uint2 n, bool both) {
  unsigned int* const to = histo + 2 * pair;
  if (both && reinterpret_cast<std::uintptr_t>(histo) % 8 == 0) {
    const unsigned long long sum = static_cast<unsigned long long>(n.y) << 32 | n.x;
    if (sum) atomicAdd(reinterpret_cast<unsigned long long*>(to), sum);
  } else {
    if (n.x) atomicAdd(to, n.x);
    if (both && n.y) atomicAdd(to + 1, n.y);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned pairs = (Binning::bins + 1) / 2;
  for (unsigned i = threadIdx.x; i < kTables * pairs; i += blockDim.x) pair_counts[i] = make_uint2(0, 0);
  __syncthreads();

  unsigned int* const table = &pair_counts[threadIdx.x / (kThreads / kTables) * pairs].x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t rank = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t eights = reinterpret_cast<std::uintptr_t>(data) % 8 == 0 ? length / 8 : 0;
  for (std::size_t i = rank; i < eights; i += threads) {
    unsigned long long eight = reinterpret_cast<const unsigned long long*>(data)[i];
#pragma unroll 4
    for (int k = 0; k < 8; ++k) {
      add_byte<Binning>(table, static_cast<unsigned char>(eight));
      eight >>= 8;
    }
  }
  for (std::size_t i = eights * 8 + rank; i < length; i += threads) add_byte<Binning>(table, data[i]);
  __syncthreads();

  for (unsigned p = threadIdx.x; p < pairs; p += blockDim.x) {
    uint2 sum = pair_counts[p];
#pragma unroll
    for (unsigned t = 1; t < kTables; ++t) {
      const uint2 more = pair_counts[t * pairs + p];
      sum.x += more.x;
      sum.y += more.y;
    }
    commit(histo, p, sum, 2 * p + 1 < Binning::bins);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * 8 * 3;
  const std::size_t blocks = (length + tile - 1) / tile;
  const std::size_t most = std::size_t{multiprocessors()} * 5;
  return {static_cast<unsigned>(blocks < most ? blocks : most), kThreads,
          kTables * (Bytes::bins / 2) * sizeof(uint2)};
}
