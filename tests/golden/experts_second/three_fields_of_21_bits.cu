// SPDX-License-Identifier: MIT
// Three counters of 21 bits in each 64-bit word of shared memory. A block moves them to the result before it
// can have counted 2^21 bytes.
#include "lab.hpp"

struct Fields {
  static constexpr unsigned each = 3, bits = 21;
  static constexpr unsigned long long mask = (1ull << bits) - 1;

  static __device__ unsigned word(unsigned bin) { return bin / each; }
  static __device__ unsigned long long one(unsigned bin) { return 1ull << bin % each * bits; }
  static __device__ unsigned int get(unsigned long long word, unsigned field) {
    return static_cast<unsigned int>(word >> field * bits & mask);
  }
};

constexpr unsigned kThreads = 512;
constexpr unsigned kTile = 2 * kThreads;
constexpr unsigned kTilesUntilFull = (1u << Fields::bits) / kTile - 1;

template <class Binning>
__device__ void move_to_result(unsigned long long* packed, unsigned int* histo) {
  constexpr unsigned words = (Binning::bins + Fields::each - 1) / Fields::each;
  for (unsigned w = threadIdx.x; w < words; w += kThreads) {
    const unsigned long long word = packed[w];
    packed[w] = 0;
#pragma unroll
    for (unsigned f = 0; f < Fields::each; ++f) {
      const unsigned int count = Fields::get(word, f);
      if (count > 0) atomicAdd(&histo[w * Fields::each + f], count);
    }
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned words = (Binning::bins + Fields::each - 1) / Fields::each;
  __shared__ unsigned long long packed[words];
  for (unsigned w = threadIdx.x; w < words; w += kThreads) packed[w] = 0;
  __syncthreads();

  unsigned tiles = 0;
  for (std::size_t tile = std::size_t{blockIdx.x} * kTile; tile < length;
       tile += std::size_t{gridDim.x} * kTile) {
#pragma unroll
    for (unsigned k = 0; k < 2; ++k) {
      const std::size_t i = tile + k * kThreads + threadIdx.x;
      const int bin = i < length ? Binning::bin_of(data[i]) : -1;
      if (bin >= 0) atomicAdd(&packed[Fields::word(bin)], Fields::one(bin));
    }
    if (++tiles == kTilesUntilFull) {
      __syncthreads();
      move_to_result<Binning>(packed, histo);
      __syncthreads();
      tiles = 0;
    }
  }
  __syncthreads();
  move_to_result<Binning>(packed, histo);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + 8 * kTile - 1) / (8 * kTile);
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(tiles < room ? tiles : room), kThreads};
}
