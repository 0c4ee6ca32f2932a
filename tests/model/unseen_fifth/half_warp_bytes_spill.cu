// SPDX-License-Identifier: MIT
// One histogram a half warp, interleaved by lane: word [bin * 16 + lane % 16] holds a one-byte counter for
// each of the four half warps of the block. A counter that wraps to zero carries 256 into a shared spill
// table.
#include "lab.hpp"

constexpr unsigned kHalves = 4, kThreads = kHalves * 16;
constexpr unsigned kBytesPerThread = 512;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                                 unsigned int* histo) {
  constexpr unsigned bins = Binning::bins;
  __shared__ unsigned int columns[bins * 16];
  __shared__ unsigned int spill[bins];
  for (unsigned i = threadIdx.x; i < bins * 16; i += kThreads) columns[i] = 0;
  for (unsigned b = threadIdx.x; b < bins; b += kThreads) spill[b] = 0;
  __syncthreads();

  unsigned char* const mine =
      reinterpret_cast<unsigned char*>(columns) + threadIdx.x % 16 * 4 + threadIdx.x / 16;
  const auto count = [&](unsigned char byte) {
    const int bin = Binning::bin_of(byte);
    if (bin < 0) return;
    const unsigned char before = mine[bin * 64];
    mine[bin * 64] = static_cast<unsigned char>(before + 1);
    if (before == 255) atomicAdd(&spill[bin], 256u);
  };

  const std::size_t thread = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * kThreads;
  const unsigned int* const words = reinterpret_cast<const unsigned int*>(data);
#pragma unroll 2
  for (std::size_t w = thread; w < length / 4; w += threads) {
    const unsigned int word = words[w];
    count(static_cast<unsigned char>(word));
    count(static_cast<unsigned char>(word >> 8));
    count(static_cast<unsigned char>(word >> 16));
    count(static_cast<unsigned char>(word >> 24));
  }
  const std::size_t rest = length / 4 * 4 + thread;
  if (rest < length) count(data[rest]);
  __syncthreads();

  for (unsigned b = threadIdx.x; b < bins; b += kThreads) {
    unsigned int sum = spill[b];
#pragma unroll
    for (unsigned k = 0; k < 16; ++k)  // begins at another column than the neighbours do
      sum = __dp4a(columns[b * 16 + (k + b / 2) % 16], 0x01010101u, sum);
    if (sum > 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * kBytesPerThread;
  const std::size_t need = (length + tile - 1) / tile;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(need < room ? need : room), kThreads};
}
