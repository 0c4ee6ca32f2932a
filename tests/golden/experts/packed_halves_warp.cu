// SPDX-License-Identifier: MIT
// Per-warp tables with two 16-bit counters a word: atomicAdd of 1 or 1 << 16, flushed before a half can overflow.
#include "lab.hpp"

static constexpr unsigned kWarpsPerBlock = 8;
static constexpr unsigned kStepsPerFlush = 65535 / 32;

template <class Binning>
__device__ void flush(unsigned int* packed, unsigned int* histo, unsigned lane) {
  constexpr unsigned words = (Binning::bins + 1) / 2;
  __syncwarp();
  for (unsigned w = lane; w < words; w += 32) {
    const unsigned both = packed[w];
    packed[w] = 0;
    if (both & 0xffffu) atomicAdd(&histo[2 * w], both & 0xffffu);
    if (both >> 16) atomicAdd(&histo[2 * w + 1], both >> 16);
  }
  __syncwarp();
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned words = (Binning::bins + 1) / 2;
  __shared__ unsigned int packed[kWarpsPerBlock][words];

  const unsigned lane = threadIdx.x & 31u;
  unsigned int* const mine = packed[threadIdx.x >> 5];
  for (unsigned w = lane; w < words; w += 32) mine[w] = 0;
  __syncwarp();

  const std::size_t warps = std::size_t{gridDim.x} * kWarpsPerBlock;
  std::size_t base = (std::size_t{blockIdx.x} * kWarpsPerBlock + (threadIdx.x >> 5)) * 32;
  unsigned steps = 0;
  for (; base < length; base += warps * 32) {  // the same for all lanes of a warp
    if (base + lane < length) {
      const int bin = Binning::bin_of(data[base + lane]);
      if (bin >= 0) atomicAdd(&mine[bin >> 1], 1u << ((bin & 1) * 16));
    }
    if (++steps == kStepsPerFlush) {
      flush<Binning>(mine, histo, lane);
      steps = 0;
    }
  }
  flush<Binning>(mine, histo, lane);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = kWarpsPerBlock * 32;
  const std::size_t enough = (length + block * 64 - 1) / (block * 64);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
