// SPDX-License-Identifier: MIT
// Warps 0 to 3 only load, 16 bytes a thread, into one of two stages in shared memory; warps 4 to 7 meanwhile
// count what lies in the other stage. One barrier a step swaps the stages.
#include "lab.hpp"

constexpr unsigned half = 128;  // producers, and as many consumers
constexpr unsigned steps_per_block = 8;

template <class Binning>
__device__ __forceinline__ void count_byte(unsigned int* counts, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  if (bin >= 0) atomicAdd(&counts[bin], 1u);
}

template <class Binning>
__device__ __forceinline__ void count_word(unsigned int* counts, unsigned int word) {
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8)
    count_byte<Binning>(counts, static_cast<unsigned char>(word >> shift));
}

template <class Binning>
__global__ void __launch_bounds__(2 * half)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ uint4 stages[2][half];
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const bool producer = threadIdx.x < half;
  const unsigned slot = threadIdx.x % half;
  const std::size_t vectors = reinterpret_cast<std::uintptr_t>(data) % 16 == 0 ? length / 16 : 0;
  const std::size_t whole_tiles = vectors / half;
  const uint4* source = reinterpret_cast<const uint4*>(data);

  int fill = 0;
  bool staged = false;  // whether the stage that is not being filled holds a tile
  for (std::size_t tile = blockIdx.x; tile < whole_tiles || staged; tile += gridDim.x) {
    const bool more = tile < whole_tiles;
    if (producer) {
      if (more) stages[fill][slot] = source[tile * half + slot];
    } else if (staged) {
      const uint4 quad = stages[fill ^ 1][slot];
      count_word<Binning>(counts, quad.x);
      count_word<Binning>(counts, quad.y);
      count_word<Binning>(counts, quad.z);
      count_word<Binning>(counts, quad.w);
    }
    __syncthreads();
    fill ^= 1;
    staged = more;
  }

  // What fills no tile is counted by everybody.
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = whole_tiles * half * 16 + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i < length; i += threads) count_byte<Binning>(counts, data[i]);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = length / (half * 16 * steps_per_block) + 1;
  const std::size_t most =
      std::size_t{4} * multiprocessors() * resident_blocks(histogram_kernel<Bytes>, 2 * half);
  return {static_cast<unsigned>(enough < most ? enough : most), 2 * half};
}
