// SPDX-License-Identifier: MIT
// One block of dynamic shared memory cut in two: a staged tile of 8 KiB, written as uint2, and the counters behind it.
#include "lab.hpp"

constexpr unsigned kBlock = 256;
constexpr unsigned kTile = 8192;

extern __shared__ __align__(16) unsigned char arena[];

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned char* tile = arena;
  unsigned int* counts = reinterpret_cast<unsigned int*>(arena + kTile);
  for (unsigned b = threadIdx.x; b < Binning::bins; b += kBlock) counts[b] = 0;

  const bool wide = reinterpret_cast<std::uintptr_t>(data) % 8 == 0;
  const std::size_t tiles = (length + kTile - 1) / kTile;
  for (std::size_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    const std::size_t begin = t * kTile;
    const unsigned n = static_cast<unsigned>(length - begin < kTile ? length - begin : kTile);

    if (wide && n == kTile) {
      const uint2* from = reinterpret_cast<const uint2*>(data + begin);
      uint2* to = reinterpret_cast<uint2*>(tile);
#pragma unroll
      for (unsigned k = 0; k < kTile / 8; k += kBlock) to[k + threadIdx.x] = from[k + threadIdx.x];
    } else {
      for (unsigned k = threadIdx.x; k < n; k += kBlock) tile[k] = data[begin + k];
    }
    __syncthreads();

    for (unsigned k = threadIdx.x; k < n; k += kBlock) {
      const int bin = Binning::bin_of(tile[k]);
      if (bin >= 0) atomicAdd(&counts[bin], 1u);
    }
    __syncthreads();
  }

  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += kBlock)
    if (counts[b]) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t shared = kTile + Bytes::bins * sizeof(unsigned int);
  const std::size_t tiles = (length + kTile - 1) / kTile;
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kBlock, shared);
  return {static_cast<unsigned>(tiles < resident ? tiles : resident), kBlock, shared};
}
