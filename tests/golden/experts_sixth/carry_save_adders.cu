// SPDX-License-Identifier: MIT
// Up to eight bins: for each of them a thread has a mask of the 32 bytes it has loaded, and adds masks by
// carry-save adders (Harley and Seal), so that it counts bits once for four masks. With more bins it adds to
// one of eight counters of a bin, which lie side by side.
#include "lab.hpp"

constexpr unsigned block_size = 128, masks = 4, copies = 8;

__device__ __forceinline__ void carry_save_add(unsigned int& sum, unsigned int& carry, unsigned int a,
                                               unsigned int b) {
  const unsigned int half = sum ^ a;
  carry = (sum & a) | (half & b);
  sum = half ^ b;
}

// The eight words of four masks, at a distance of so many vectors from one another.
struct batch {
  unsigned int words[masks][8];

  __device__ __forceinline__ void load(const uint4* from, std::size_t distance) {
#pragma unroll
    for (unsigned k = 0; k < masks; ++k) {
      const uint4 low = from[2 * k * distance], high = from[(2 * k + 1) * distance];
      words[k][0] = low.x, words[k][1] = low.y, words[k][2] = low.z, words[k][3] = low.w;
      words[k][4] = high.x, words[k][5] = high.y, words[k][6] = high.z, words[k][7] = high.w;
    }
  }
};

template <class Binning>
struct adder_of_bins {
  unsigned int ones[Binning::bins], twos[Binning::bins], fours[Binning::bins];

  __device__ __forceinline__ adder_of_bins() {
#pragma unroll
    for (unsigned bin = 0; bin < Binning::bins; ++bin) ones[bin] = twos[bin] = fours[bin] = 0;
  }
  __device__ __forceinline__ void count(batch& from) {
#pragma unroll
    for (unsigned k = 0; k < masks; ++k) {
#pragma unroll
      for (unsigned int& word : from.words[k]) {
        unsigned int classes = 0;
#pragma unroll
        for (unsigned j = 0; j < 4; ++j) {
          classes |= (Binning::bin_of(static_cast<unsigned char>(word >> 8 * j)) & 255) << 8 * j;
        }
        word = classes;
      }
    }
#pragma unroll
    for (unsigned bin = 0; bin < Binning::bins; ++bin) {
      unsigned int mask[masks] = {};
#pragma unroll
      for (unsigned k = 0; k < masks; ++k) {
#pragma unroll
        for (unsigned j = 0; j < 8; ++j) {
          mask[k] |= __vcmpeq4(from.words[k][j], bin * 0x01010101u) & 0x01010101u << j;
        }
      }
      unsigned int first, second, four;
      carry_save_add(ones[bin], first, mask[0], mask[1]);
      carry_save_add(ones[bin], second, mask[2], mask[3]);
      carry_save_add(twos[bin], four, first, second);
      fours[bin] += __popc(four);
    }
  }
  __device__ __forceinline__ void commit(unsigned int* counts) {
#pragma unroll
    for (unsigned bin = 0; bin < Binning::bins; ++bin) {
      const unsigned int own = 4 * fours[bin] + 2 * __popc(twos[bin]) + __popc(ones[bin]);
      const unsigned int sum = __reduce_add_sync(0xffffffffu, own);
      if (threadIdx.x % 32 == 0 && sum > 0) atomicAdd(counts + bin * copies, sum);
    }
  }
};

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins * copies];
  for (unsigned k = threadIdx.x; k < Binning::bins * copies; k += block_size) counts[k] = 0;
  __syncthreads();
  unsigned int* const mine = counts + threadIdx.x % copies;
  const auto count_one = [&](unsigned int byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    if (bin >= 0) atomicAdd(mine + bin * copies, 1u);
  };

  constexpr std::size_t tile_bytes = block_size * masks * 32;
  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 15;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t tiles = (length - head) / tile_bytes;
  const uint4* const vectors = reinterpret_cast<const uint4*>(data + head) + threadIdx.x;
  batch here;
  if constexpr (Binning::bins <= 8) {
    adder_of_bins<Binning> adder;
    for (std::size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      here.load(vectors + tile * (tile_bytes / 16), block_size);
      adder.count(here);
    }
    adder.commit(counts);
  } else {
    for (std::size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      here.load(vectors + tile * (tile_bytes / 16), block_size);
#pragma unroll
      for (unsigned k = 0; k < masks; ++k) {
#pragma unroll
        for (unsigned j = 0; j < 32; ++j) count_one(here.words[k][j / 4] >> j % 4 * 8);
      }
    }
  }
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  if (thread < head) count_one(data[thread]);
  for (std::size_t at = head + tiles * tile_bytes + thread; at < length; at += threads) count_one(data[at]);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned k = 0; k < copies; ++k) sum += counts[bin * copies + k];
    if (sum > 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = block_size * masks * 32;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most = 6 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
