// SPDX-License-Identifier: MIT
// The shared counters are floats, added to with float atomics. A float counts exactly up to 2^24 only, so a
// block commits and clears its counters before it has counted that many bytes. 16 bytes a load, blocks of
// 320, three for each SM.
#include "lab.hpp"

constexpr std::size_t most_between_flushes = std::size_t{1} << 23;  // bytes of a block

template <class Binning>
__device__ __forceinline__ void count_byte(float* counts, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  if (bin >= 0) atomicAdd(&counts[bin], 1.0f);
}

template <class Binning>
__device__ __forceinline__ void count_word(float* counts, unsigned int word) {
#pragma unroll
  for (int k = 0; k < 4; ++k) count_byte<Binning>(counts, static_cast<unsigned char>(word >> (8 * k)));
}

// To be called by all threads of the block.
template <class Binning>
__device__ void flush(float* counts, unsigned int* histo) {
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int count = static_cast<unsigned int>(counts[bin]);
    if (count > 0) atomicAdd(&histo[bin], count);
    counts[bin] = 0.0f;
  }
  __syncthreads();
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ float counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0.0f;
  __syncthreads();

  const std::size_t vectors = reinterpret_cast<std::uintptr_t>(data) % 16 == 0 ? length / 16 : 0;
  const uint4* quads = reinterpret_cast<const uint4*>(data);
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t offset = std::size_t{blockIdx.x} * blockDim.x;  // the same for the whole block
  std::size_t since_flush = 0;
  for (std::size_t first = offset; first < vectors; first += stride) {
    const std::size_t v = first + threadIdx.x;
    if (v < vectors) {
      const uint4 quad = quads[v];
      count_word<Binning>(counts, quad.x);
      count_word<Binning>(counts, quad.y);
      count_word<Binning>(counts, quad.z);
      count_word<Binning>(counts, quad.w);
    }
    since_flush += 16 * blockDim.x;
    if (since_flush >= most_between_flushes) {
      flush<Binning>(counts, histo);
      since_flush = 0;
    }
  }
  for (std::size_t first = vectors * 16 + offset; first < length; first += stride) {
    if (first + threadIdx.x < length) count_byte<Binning>(counts, data[first + threadIdx.x]);
    since_flush += blockDim.x;
    if (since_flush >= most_between_flushes) {
      flush<Binning>(counts, histo);
      since_flush = 0;
    }
  }
  flush<Binning>(counts, histo);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 320;
  const std::size_t enough = length / (block * 16) + 1;
  const std::size_t most = std::size_t{3} * multiprocessors();
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
