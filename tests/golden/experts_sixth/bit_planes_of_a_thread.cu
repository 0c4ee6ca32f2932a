// SPDX-License-Identifier: MIT
// Up to 31 bins: a thread transposes the bins of 32 bytes into bit planes of its own, and for each bin ands
// the planes and counts the bits that are left, so that every bin has a counter in a register and the input
// does not matter. With more bins a table in shared memory for every two warps.
#include "lab.hpp"

constexpr unsigned block_size = 256, tables = block_size / 64;

constexpr unsigned bits_for(unsigned classes) {
  unsigned bits = 0;
  while (1u << bits < classes) ++bits;
  return bits;
}

template <class Binning>
struct plane_counter {
  static constexpr unsigned bits = bits_for(Binning::bins + 1);
  unsigned int own[Binning::bins];

  __device__ __forceinline__ plane_counter() {
#pragma unroll
    for (unsigned int& count : own) count = 0;
  }

  __device__ __forceinline__ void count(uint4 low, uint4 high) {
    const unsigned int words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
    unsigned int planes[bits] = {};
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) {
      unsigned int classes = 0;
#pragma unroll
      for (unsigned j = 0; j < 4; ++j) {
        const int bin = Binning::bin_of(static_cast<unsigned char>(words[k] >> 8 * j));
        classes |= (bin < 0 ? (1u << bits) - 1 : static_cast<unsigned int>(bin)) << 8 * j;
      }
#pragma unroll
      for (unsigned b = 0; b < bits; ++b) planes[b] |= (classes >> b & 0x01010101u) << k;
    }
#pragma unroll
    for (unsigned bin = 0; bin < Binning::bins; ++bin) {
      unsigned int lanes = 0xffffffffu;
#pragma unroll
      for (unsigned b = 0; b < bits; ++b) lanes &= bin >> b & 1 ? planes[b] : ~planes[b];
      own[bin] += __popc(lanes);
    }
  }

  __device__ __forceinline__ void commit(unsigned int* table) {
#pragma unroll
    for (unsigned bin = 0; bin < Binning::bins; ++bin) {
      const unsigned int sum = __reduce_add_sync(0xffffffffu, own[bin]);
      if (threadIdx.x % 32 == 0 && sum > 0) atomicAdd(table + bin, sum);
    }
  }
};

template <class Binning>
struct atomic_counter {
  unsigned int* table;

  __device__ __forceinline__ void count(uint4 low, uint4 high) {
    const unsigned int words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
    for (unsigned k = 0; k < 32; ++k) {
      const int bin = Binning::bin_of(static_cast<unsigned char>(words[k / 4] >> k % 4 * 8));
      if (bin >= 0) atomicAdd(table + bin, 1u);
    }
  }
};

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[tables][Binning::bins];
  for (unsigned k = threadIdx.x; k < tables * Binning::bins; k += block_size) counts[0][k] = 0;
  __syncthreads();
  unsigned int* const table = counts[threadIdx.x / 64];

  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 15;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t pairs = (length - head) / 32;
  const uint4* const vectors = reinterpret_cast<const uint4*>(data + head);
  const auto walk = [&](auto& counter) {
    for (std::size_t i = thread; i < pairs; i += threads) counter.count(vectors[2 * i], vectors[2 * i + 1]);
  };
  if constexpr (Binning::bins < 32) {
    plane_counter<Binning> counter;
    walk(counter);
    counter.commit(table);
  } else {
    atomic_counter<Binning> counter{table};
    walk(counter);
  }
  const auto count_one = [&](std::size_t at) {
    const int bin = Binning::bin_of(data[at]);
    if (bin >= 0) atomicAdd(table + bin, 1u);
  };
  if (thread < head) count_one(thread);
  if (head + pairs * 32 + thread < length) count_one(head + pairs * 32 + thread);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned k = 0; k < tables; ++k) sum += counts[k][bin];
    if (sum > 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = std::size_t{block_size} * 32 * 4;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most = 4 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
