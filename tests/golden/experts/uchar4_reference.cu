// SPDX-License-Identifier: MIT
// uchar4 elements taken by reference in a helper; each block counts one contiguous tile of 4096 bytes.
#include "lab.hpp"

#define TILE 4096
#define THREADS 256

template <class Binning>
__device__ void count4(const uchar4& px, unsigned int* sh) {
  const int b0 = Binning::bin_of(px.x);
  const int b1 = Binning::bin_of(px.y);
  const int b2 = Binning::bin_of(px.z);
  const int b3 = Binning::bin_of(px.w);
  if (b0 >= 0) atomicAdd(sh + b0, 1u);
  if (b1 >= 0) atomicAdd(sh + b1, 1u);
  if (b2 >= 0) atomicAdd(sh + b2, 1u);
  if (b3 >= 0) atomicAdd(sh + b3, 1u);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int sh[Binning::bins];

  for (int i = threadIdx.x; i < Binning::bins; i += THREADS) sh[i] = 0;
  __syncthreads();

  const std::size_t begin = (std::size_t)blockIdx.x * TILE;
  const unsigned char* tile = data + begin;
  const int n = length - begin < TILE ? (int)(length - begin) : TILE;

  int done = 0;
  if (((std::size_t)tile & 3) == 0) {
    const uchar4* px = reinterpret_cast<const uchar4*>(tile);
    const int n4 = n / 4;
#pragma unroll 4
    for (int i = threadIdx.x; i < n4; i += THREADS) count4<Binning>(px[i], sh);
    done = n4 * 4;
  }
  for (int i = done + threadIdx.x; i < n; i += THREADS) {
    const int b = Binning::bin_of(tile[i]);
    if (b >= 0) atomicAdd(sh + b, 1u);
  }

  __syncthreads();
  for (int i = threadIdx.x; i < Binning::bins; i += THREADS)
    if (sh[i]) atomicAdd(histo + i, sh[i]);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + TILE - 1) / TILE), THREADS}; }
