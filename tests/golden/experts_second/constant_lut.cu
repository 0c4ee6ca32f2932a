// SPDX-License-Identifier: MIT
// The bin of every byte value is worked out by the compiler and lies in constant memory, which serves one
// address after another: the lanes of a warp look up different bytes.
#include "lab.hpp"

template <class Binning>
struct Lookup {
  short bin[256];
  constexpr Lookup() : bin{} {
    for (int byte = 0; byte < 256; ++byte) {
      bin[byte] = static_cast<short>(Binning::bin_of(static_cast<unsigned char>(byte)));
    }
  }
};

template <class Binning>
__constant__ Lookup<Binning> lookup{};

constexpr unsigned kBlock = 512;
constexpr unsigned kEach = 16;  // bytes of a thread

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += kBlock) counts[b] = 0;
  __syncthreads();

  const std::size_t begin = std::size_t{blockIdx.x} * kBlock * kEach;
  const std::size_t rest = length - begin;
  const unsigned mine = rest < kBlock * kEach ? static_cast<unsigned>(rest) : kBlock * kEach;
  const unsigned char* piece = data + begin;
#pragma unroll 4
  for (unsigned k = threadIdx.x; k < mine; k += kBlock) {
    const int bin = lookup<Binning>.bin[piece[k]];
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();

  for (unsigned b = threadIdx.x; b < Binning::bins; b += kBlock) {
    if (counts[b] != 0) atomicAdd(&histo[b], counts[b]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t piece = kBlock * kEach;
  return {static_cast<unsigned>((length + piece - 1) / piece), kBlock};
}
