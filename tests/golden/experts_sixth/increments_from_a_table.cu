// SPDX-License-Identifier: MIT
// What a byte adds is looked up in shared memory, as 128 bits with a one in the field of its bin: up to 16
// bins have fields of 8 bits, up to 32 fields of 4 bits, which are widened to 8 after eight bytes. So
// counting is a load and two additions of 64 bits. More bins are counted by atomics, in a table for each
// warp.
#include "lab.hpp"

constexpr unsigned block_size = 160, warps = block_size / 32;

using fields = unsigned long long;

// Every second field of four bits as one of eight.
__device__ __forceinline__ fields widened(fields narrow, unsigned odd) {
  return narrow >> 4 * odd & 0x0f0f0f0f0f0f0f0full;
}

template <class Binning>
__device__ void count_by_fields(const uint2* vectors, std::size_t number, unsigned int* counts) {
  constexpr bool narrow = Binning::bins > 16;
  constexpr unsigned width = narrow ? 4 : 8, wide = narrow ? 4 : 2;
  __shared__ ulonglong2 increments[256];
  for (unsigned byte = threadIdx.x; byte < 256; byte += block_size) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    const unsigned at = bin < 0 ? 0 : bin * width;
    const fields one = bin < 0 ? 0 : 1;
    increments[byte] = make_ulonglong2(at < 64 ? one << at : 0, at < 64 ? 0 : one << (at - 64));
  }
  __syncthreads();
  fields sums[wide] = {};
  const auto empty = [&] {
#pragma unroll
    for (unsigned bin = 0; bin < Binning::bins; ++bin) {
      // Field f of the table is in the even or odd ones of its half.
      const unsigned of = narrow ? bin / 16 * 2 + bin % 2 : bin / 8;
      const unsigned at = narrow ? bin % 16 / 2 * 8 : bin % 8 * 8;
      const unsigned int own = static_cast<unsigned int>(sums[of] >> at & 255);
      const unsigned int sum = __reduce_add_sync(0xffffffffu, own);
      if (threadIdx.x % 32 == 0 && sum > 0) atomicAdd(counts + bin, sum);
    }
#pragma unroll
    for (fields& sum : sums) sum = 0;
  };
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  unsigned turns = 0;
  for (std::size_t base = std::size_t{blockIdx.x} * block_size; base < number; base += threads) {
    if (base + threadIdx.x < number) {
      const uint2 eight = vectors[base + threadIdx.x];
      fields low = 0, high = 0;
#pragma unroll
      for (unsigned k = 0; k < 8; ++k) {
        const ulonglong2 one = increments[(k < 4 ? eight.x : eight.y) >> k % 4 * 8 & 255];
        low += one.x;
        high += one.y;
      }
      if constexpr (narrow) {
        sums[0] += widened(low, 0);
        sums[1] += widened(low, 1);
        sums[2] += widened(high, 0);
        sums[3] += widened(high, 1);
      } else {
        sums[0] += low;
        sums[1] += high;
      }
    }
    if (++turns == 31) {  // 248 bytes of a thread
      empty();
      turns = 0;
    }
  }
  empty();
}

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[warps][Binning::bins];
  for (unsigned k = threadIdx.x; k < warps * Binning::bins; k += block_size) counts[0][k] = 0;
  __syncthreads();
  unsigned int* const mine = counts[threadIdx.x / 32];
  const auto count = [&](unsigned int byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    if (bin >= 0) atomicAdd(mine + bin, 1u);
  };
  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 7;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t number = (length - head) / 8;
  const uint2* const vectors = reinterpret_cast<const uint2*>(data + head);
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  if (thread < head) count(data[thread]);
  if (head + number * 8 + thread < length) count(data[head + number * 8 + thread]);
  if constexpr (Binning::bins <= 32) {
    count_by_fields<Binning>(vectors, number, mine);
  } else {
    for (std::size_t i = thread; i < number; i += std::size_t{gridDim.x} * block_size) {
      const uint2 eight = vectors[i];
#pragma unroll
      for (unsigned k = 0; k < 8; ++k) count((k < 4 ? eight.x : eight.y) >> k % 4 * 8);
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned k = 0; k < warps; ++k) sum += counts[k][bin];
    if (sum > 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = std::size_t{block_size} * 8 * 31;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
