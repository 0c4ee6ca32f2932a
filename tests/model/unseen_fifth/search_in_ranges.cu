// SPDX-License-Identifier: MIT
// The block makes a sorted table of the ranges of bytes that share a bin: where each begins, and its bin. The
// bin of a byte is then found by a binary search in it, in shared memory, with as many steps as the number of
// ranges needs.
#include "lab.hpp"

constexpr unsigned kThreads = 256;

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  constexpr int bins = Binning::bins;
  __shared__ unsigned int counts[bins];
  __shared__ unsigned char begins[256];
  __shared__ short bin_in[256];
  __shared__ unsigned int ranges_in_warp[kThreads / 32];
  for (int b = threadIdx.x; b < bins; b += kThreads) counts[b] = 0;

  // Thread t looks whether a range begins with byte t; its place is the number of beginnings before it.
  const int here = Binning::bin_of(static_cast<unsigned char>(threadIdx.x));
  const bool begin = threadIdx.x == 0 || here != Binning::bin_of(static_cast<unsigned char>(threadIdx.x - 1));
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned flags = __ballot_sync(0xffffffffu, begin);
  if (lane == 0) ranges_in_warp[warp] = __popc(flags);
  __syncthreads();
  unsigned before = __popc(flags & ((1u << lane) - 1)), ranges = 0;
  for (unsigned w = 0; w < kThreads / 32; ++w) {
    if (w < warp) before += ranges_in_warp[w];
    ranges += ranges_in_warp[w];
  }
  if (begin) {
    begins[before] = static_cast<unsigned char>(threadIdx.x);
    bin_in[before] = static_cast<short>(here);
  }
  __syncthreads();

  unsigned first_step = 1;  // the largest power of two that is at most the number of ranges
  while (first_step * 2 <= ranges) first_step *= 2;
  const auto count = [&](unsigned int byte) {
    unsigned at = 0;  // the last range that begins at the byte or before it
    for (unsigned step = first_step; step > 0; step /= 2)
      if (at + step < ranges && begins[at + step] <= byte) at += step;
    const int bin = bin_in[at];
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  };

  const std::size_t thread = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * kThreads;
  const unsigned int* const words = reinterpret_cast<const unsigned int*>(data);
  for (std::size_t w = thread; w < length / 4; w += threads) {
    const unsigned int word = words[w];
#pragma unroll
    for (int k = 0; k < 32; k += 8) count(word >> k & 0xff);
  }
  const std::size_t rest = length / 4 * 4 + thread;
  if (rest < length) count(data[rest]);
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += kThreads)
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * 32;
  const std::size_t need = (length + tile - 1) / tile;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(need < room ? need : room), kThreads};
}
