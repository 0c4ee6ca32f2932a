// SPDX-License-Identifier: MIT
// A word holds one-byte counters of four neighbouring bins, all of one thread: [bin / 4][thread], plain additions. After
// each tile the warps add rows up, two sums of 16 bits a register, by a __shfl_xor_sync butterfly.
#include "lab.hpp"

constexpr unsigned kThreads = 128;
constexpr unsigned kVectors = 8;  // a thread's uint4 loads of a tile
constexpr unsigned kTile = kThreads * kVectors * sizeof(uint4);
static_assert(kVectors * sizeof(uint4) <= 255);

template <class Binning>
struct Quads {
  static constexpr unsigned rows = (Binning::bins + 3) / 4;
  unsigned int word[rows][kThreads];

  __device__ void clear_own() {
#pragma unroll 8
    for (unsigned r = 0; r < rows; ++r) word[r][threadIdx.x] = 0;
  }
  __device__ void add(unsigned char byte) {
    const int bin = Binning::bin_of(byte);
    if (bin >= 0) word[bin >> 2][threadIdx.x] += 1u << ((bin & 3) * 8);
  }
  __device__ void add_word(unsigned int bytes) {
    add(bytes);
    add(bytes >> 8);
    add(bytes >> 16);
    add(bytes >> 24);
  }
  __device__ void commit(unsigned int* histo) const {
    const unsigned lane = threadIdx.x % 32;
    for (unsigned r = threadIdx.x / 32; r < rows; r += kThreads / 32) {
      unsigned int even = 0, odd = 0;
#pragma unroll
      for (unsigned k = 0; k < kThreads; k += 32) {
        const unsigned int four = word[r][k + lane];
        even += four & 0x00ff00ffu;
        odd += four >> 8 & 0x00ff00ffu;
      }
#pragma unroll
      for (int mask = 1; mask < 32; mask *= 2) {
        even += __shfl_xor_sync(0xffffffffu, even, mask);
        odd += __shfl_xor_sync(0xffffffffu, odd, mask);
      }
      const unsigned bin = r * 4 + lane;
      if (lane < 4 && bin < Binning::bins) {
        const unsigned int n = (lane & 1 ? odd : even) >> (lane / 2 * 16) & 0xffffu;
        if (n > 0) atomicAdd(&histo[bin], n);
      }
    }
  }
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ Quads<Binning> quads;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
  const std::size_t step = std::size_t{gridDim.x} * kTile;

  for (std::size_t begin = std::size_t{blockIdx.x} * kTile; begin < length; begin += step) {
    quads.clear_own();
    if (aligned && length - begin >= kTile) {
      const uint4* tile = reinterpret_cast<const uint4*>(data + begin);
#pragma unroll 2
      for (unsigned k = 0; k < kVectors; ++k) {
        const uint4 v = __ldcs(tile + k * kThreads + threadIdx.x);
        quads.add_word(v.x);
        quads.add_word(v.y);
        quads.add_word(v.z);
        quads.add_word(v.w);
      }
    } else {
      const unsigned n = static_cast<unsigned>(length - begin < kTile ? length - begin : kTile);
#pragma unroll 4
      for (unsigned k = threadIdx.x; k < n; k += kThreads) quads.add(data[begin + k]);
    }
    __syncthreads();
    quads.commit(histo);
    __syncthreads();
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + kTile - 1) / kTile;
  const std::size_t most = std::size_t{multiprocessors()} * 6;
  return {static_cast<unsigned>(tiles < most ? tiles : most), kThreads};
}
