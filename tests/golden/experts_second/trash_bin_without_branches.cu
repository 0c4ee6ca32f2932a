// SPDX-License-Identifier: MIT
// One counter more than there are bins takes what is not counted, bytes past the end included, so that the
// unrolled loop has neither a branch nor a predicate around its atomics.
#include "lab.hpp"

constexpr unsigned kThreads = 256;
constexpr unsigned kEach = 16;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int trash = Binning::bins;
  __shared__ unsigned int counts[Binning::bins + 1];
  for (unsigned b = threadIdx.x; b <= Binning::bins; b += kThreads) counts[b] = 0;
  __syncthreads();

  const std::size_t last = length - 1;
  std::size_t i = std::size_t{blockIdx.x} * kThreads * kEach + threadIdx.x;
#pragma unroll
  for (unsigned k = 0; k < kEach; ++k, i += kThreads) {
    const int bin = Binning::bin_of(data[i < length ? i : last]);
    const int counter = i < length && bin >= 0 ? bin : trash;
    atomicAdd(&counts[counter], 1u);
  }
  __syncthreads();

  for (unsigned b = threadIdx.x; b < Binning::bins; b += kThreads) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * kEach;
  return {static_cast<unsigned>((length + tile - 1) / tile), kThreads};
}
