// SPDX-License-Identifier: MIT
// Counts pairs of neighbouring bytes in a joint table, so that two bytes cost one atomic, and derives the
// histogram from the sums of its rows and columns. Few bins: a joint table for each of 32 warps. 256 bins:
// one of 65,536 counters of 16 bits in 128 KiB, folded and emptied before a counter can overflow.
#include "lab.hpp"

constexpr unsigned block_size = 1024, warps = block_size / 32;
constexpr unsigned words_a_tile = 31;  // for each thread: 63,488 pairs in a tile
constexpr std::size_t table_bytes = 65536 * sizeof(unsigned short);

template <class Binning>
__device__ __forceinline__ unsigned int class_of(unsigned int byte) {
  const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
  return bin < 0 ? Binning::bins : bin;
}

// Few bins: what is not counted has a class of its own.
template <class Binning>
__device__ void count_classes(const unsigned int* words, std::size_t number, unsigned int* joint,
                              unsigned int* histo) {
  constexpr unsigned classes = Binning::bins + 1, pairs = classes * classes;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned k = threadIdx.x; k < pairs * warps; k += block_size) joint[k] = 0;
  __syncthreads();
  unsigned int* const mine = joint + warp * pairs;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
#pragma unroll 4
  for (std::size_t i = std::size_t{blockIdx.x} * block_size + threadIdx.x; i < number; i += threads) {
    const unsigned int word = words[i];
    atomicAdd(mine + class_of<Binning>(word & 255) * classes + class_of<Binning>(word >> 8 & 255), 1u);
    atomicAdd(mine + class_of<Binning>(word >> 16 & 255) * classes + class_of<Binning>(word >> 24), 1u);
  }
  __syncthreads();
  for (unsigned pair = threadIdx.x; pair < pairs; pair += block_size) {
    unsigned int sum = 0;
#pragma unroll 8
    for (unsigned k = 0; k < warps; ++k) sum += joint[k * pairs + pair];
    joint[pair] = sum;
  }
  __syncthreads();
  for (unsigned bin = warp; bin < Binning::bins; bin += warps) {
    const unsigned int part = lane < classes ? joint[bin * classes + lane] + joint[lane * classes + bin] : 0;
    const unsigned int sum = __reduce_add_sync(0xffffffffu, part);
    if (lane == 0 && sum > 0) atomicAdd(histo + bin, sum);
  }
}

// 256 bins: the second byte of a pair tells the row, which a warp reads by one load of 16 bytes a lane.
__device__ void count_values(const unsigned int* words, std::size_t number, uint4* rows,
                             unsigned int* counts) {
  unsigned int* const joint = reinterpret_cast<unsigned int*>(rows);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint4 empty = make_uint4(0, 0, 0, 0);
  for (unsigned row = warp * 8; row < warp * 8 + 8; ++row) rows[row * 32 + lane] = empty;
  __syncthreads();
  constexpr std::size_t of_tile = words_a_tile * block_size;
  for (std::size_t tile = blockIdx.x * of_tile; tile < number; tile += gridDim.x * of_tile) {
#pragma unroll 4
    for (unsigned k = 0; k < words_a_tile; ++k) {
      const std::size_t i = tile + k * block_size + threadIdx.x;
      if (i >= number) break;
      const unsigned int word = words[i], first = word & 0xffff, second = word >> 16;
      atomicAdd(joint + first / 2, 1u << first % 2 * 16);
      atomicAdd(joint + second / 2, 1u << second % 2 * 16);
    }
    __syncthreads();
    unsigned int columns[8] = {};
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) {
      const unsigned row = warp * 8 + k;
      const uint4 eight = rows[row * 32 + lane];
      rows[row * 32 + lane] = empty;
      const unsigned int of[4] = {eight.x, eight.y, eight.z, eight.w};
      unsigned int part = 0;
#pragma unroll
      for (unsigned j = 0; j < 4; ++j) {
        columns[2 * j] += of[j] & 0xffff;
        columns[2 * j + 1] += of[j] >> 16;
        part += (of[j] & 0xffff) + (of[j] >> 16);
      }
      const unsigned int sum = __reduce_add_sync(0xffffffffu, part);
      if (lane == 0 && sum > 0) atomicAdd(counts + row, sum);
    }
#pragma unroll
    for (unsigned j = 0; j < 8; ++j) {
      if (columns[j] > 0) atomicAdd(counts + lane * 8 + j, columns[j]);
    }
    __syncthreads();
  }
}

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  extern __shared__ uint4 room[];
  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 3;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t number = (length - head) / 4;
  const unsigned int* const words = reinterpret_cast<const unsigned int*>(data + head);
  if (blockIdx.x == 0 && threadIdx.x < 6) {  // at most three bytes at each end
    const std::size_t at = threadIdx.x < 3 ? threadIdx.x : head + number * 4 + threadIdx.x - 3;
    if (threadIdx.x < 3 ? at < head : at < length) {
      const int bin = Binning::bin_of(data[at]);
      if (bin >= 0) atomicAdd(histo + bin, 1u);
    }
  }
  if constexpr (Binning::bins < 32) {
    count_classes<Binning>(words, number, reinterpret_cast<unsigned int*>(room), histo);
  } else {
    __shared__ unsigned int counts[256];
    if (threadIdx.x < 256) counts[threadIdx.x] = 0;
    count_values(words, number, room, counts);
    if (threadIdx.x < 256 && counts[threadIdx.x] > 0) {
      const int bin = Binning::bin_of(static_cast<unsigned char>(threadIdx.x));
      if (bin >= 0) atomicAdd(histo + bin, counts[threadIdx.x]);
    }
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = std::size_t{block_size} * words_a_tile * 4;
  const std::size_t enough = (length + of_block - 1) / of_block, most = multiprocessors();
  return {static_cast<unsigned>(enough < most ? enough : most), block_size, table_bytes};
}
