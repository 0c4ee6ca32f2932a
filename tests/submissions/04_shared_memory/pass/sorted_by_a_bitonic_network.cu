// SPDX-License-Identifier: MIT
// Right: the block sorts its bytes; steps within a warp wait for the warp alone. Each stretch of equal bins is counted
// by its ends.
#include "lab.hpp"

constexpr unsigned block_size = 256;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ short keys[block_size];
  __shared__ unsigned int counts[Binning::bins];
  const unsigned t = threadIdx.x;
  for (unsigned bin = t; bin < Binning::bins; bin += block_size) counts[bin] = 0;
  const std::size_t position = std::size_t{blockIdx.x} * block_size + t;
  keys[t] = position < length ? Binning::bin_of(data[position]) : -1;
  __syncthreads();
  for (unsigned size = 2; size <= block_size; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      const unsigned partner = t ^ distance;
      if (partner > t) {
        const bool up = (t & size) == 0;
        const short a = keys[t], b = keys[partner];
        if ((a > b) == up) keys[t] = b, keys[partner] = a;
      }
      if (distance > 32 || distance == 1 || distance == 32) {
        __syncthreads();
      } else {
        __syncwarp();
      }
    }
  }
  const short key = keys[t];
  if (key >= 0) {
    if (t == 0 || keys[t - 1] != key) atomicSub(&counts[key], t);
    if (t == block_size - 1 || keys[t + 1] != key) atomicAdd(&counts[key], t + 1);
  }
  __syncthreads();
  for (unsigned bin = t; bin < Binning::bins; bin += block_size) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
