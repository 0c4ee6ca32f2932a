// SPDX-License-Identifier: MIT
// Bitmaps: each thread sets its bit in the bitmap of its bin by atomicOr; thread b then counts the bits of bitmap b with
// __popc and clears it. Counts stay in registers until the end.
#include "lab.hpp"

constexpr int kThreads = 256;
constexpr int kWords = kThreads / 32;
constexpr int kPitch = kWords + 1;  // odd: threads that read bitmaps side by side meet different banks

template <class Binning>
__global__ void histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                                 unsigned int* __restrict__ histo) {
  static_assert(Binning::bins <= kThreads);
  __shared__ unsigned int bitmap[Binning::bins][kPitch];
  const int t = threadIdx.x, word = t / 32;
  const unsigned int bit = 1u << (t % 32);
  const bool counts = t < Binning::bins;

  if (counts) {
#pragma unroll
    for (int w = 0; w < kWords; ++w) bitmap[t][w] = 0;
  }
  __syncthreads();

  unsigned int total = 0;
  const std::size_t step = std::size_t{gridDim.x} * kThreads;
  for (std::size_t base = std::size_t{blockIdx.x} * kThreads; base < length; base += step) {
    const std::size_t i = base + t;
    const int bin = i < length ? Binning::bin_of(data[i]) : -1;
    if (bin >= 0) atomicOr(&bitmap[bin][word], bit);
    __syncthreads();
    if (counts) {
#pragma unroll
      for (int w = 0; w < kWords; ++w) {
        total += __popc(bitmap[t][w]);
        bitmap[t][w] = 0;
      }
    }
    __syncthreads();
  }
  if (counts && total) atomicAdd(histo + t, total);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + kThreads * 12 - 1) / (kThreads * 12);
  const std::size_t most = std::size_t{multiprocessors()} * 8;
  return {static_cast<unsigned>(blocks < most ? blocks : most), kThreads};
}
