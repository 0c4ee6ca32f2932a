// SPDX-License-Identifier: MIT
// Sixteen bins at most are counted in registers; a block takes one slice of the bins and one part of the input. In the
// end every thread adds its counters to the block's in an unrolled loop.
#include "lab.hpp"

constexpr unsigned kBlock = 128;
constexpr unsigned kMostSlices = 16;

template <unsigned Width>
__device__ __forceinline__ void tally(unsigned (&n)[Width], unsigned offset) {
#pragma unroll
  for (unsigned b = 0; b < Width; ++b) n[b] += offset == b ? 1u : 0u;
}

template <class Binning>
__global__ void __launch_bounds__(kBlock)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* __restrict__ histo) {
  constexpr unsigned bins = Binning::bins;
  constexpr unsigned width = bins < 16 ? bins : 16;
  constexpr unsigned slices = (bins + width - 1) / width;
  static_assert(slices <= kMostSlices);
  __shared__ unsigned int sums[width];

  const unsigned first = blockIdx.x % slices * width;
  const unsigned part = blockIdx.x / slices, parts = gridDim.x / slices;
  if (part >= parts) return;  // the grid is not a multiple of the slices
  if (threadIdx.x < width) sums[threadIdx.x] = 0;
  __syncthreads();

  unsigned int n[width] = {};
  const std::size_t me = std::size_t{part} * kBlock + threadIdx.x;
  const std::size_t threads = std::size_t{parts} * kBlock;

  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 4 : 0;
  const unsigned int* four = reinterpret_cast<const unsigned int*>(data);
  for (std::size_t i = me; i < words; i += threads) {
    unsigned int w = __ldg(four + i);
#pragma unroll
    for (int k = 0; k < 4; ++k, w >>= 8)
      tally(n, static_cast<unsigned>(Binning::bin_of(static_cast<unsigned char>(w))) - first);
  }
  for (std::size_t i = words * 4 + me; i < length; i += threads)
    tally(n, static_cast<unsigned>(Binning::bin_of(data[i])) - first);

#pragma unroll
  for (unsigned b = 0; b < width; ++b) atomicAdd(&sums[b], n[b]);
  __syncthreads();
  if (threadIdx.x < width && first + threadIdx.x < bins && sums[threadIdx.x] != 0)
    atomicAdd(&histo[first + threadIdx.x], sums[threadIdx.x]);
}

LaunchShape launch_shape(std::size_t length) {
  std::size_t parts = (length + 65535) / 65536;
  const std::size_t most = multiprocessors() / 4;
  if (parts > most) parts = most;
  return {static_cast<unsigned>(parts * kMostSlices), kBlock};
}
