// SPDX-License-Identifier: MIT
// Each thread has its own column of byte counters in shared memory, four threads' in a word's four bytes.
#include "lab.hpp"

constexpr unsigned kThreads = 64;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned char counters[Binning::bins][kThreads];
  const unsigned t = threadIdx.x;
  const std::size_t begin = std::size_t{blockIdx.x} * kThreads * 128;
  for (unsigned b = 0; b < Binning::bins; ++b) counters[b][t] = 0;
  for (unsigned k = 0; k < 128; ++k) {
    const std::size_t i = begin + k * kThreads + t;
    if (i >= length) break;
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) counters[bin][t]++;
  }
  __syncthreads();
  for (unsigned b = t; b < Binning::bins; b += kThreads) {
    unsigned int sum = 0;
    for (unsigned k = 0; k < kThreads; ++k) sum += counters[b][(k + t) % kThreads];
    if (sum) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + kThreads * 128 - 1) / (kThreads * 128)), kThreads};
}
