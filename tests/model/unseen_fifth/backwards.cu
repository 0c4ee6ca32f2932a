// SPDX-License-Identifier: MIT
// From the end of the input to its beginning: the odd bytes at the end first, then the loop goes down by
// uint2, thread 0 having the highest address. Tables for even and odd lanes.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int bins = Binning::bins;
  __shared__ unsigned int counts[2 * bins];
  for (int b = threadIdx.x; b < 2 * bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  unsigned int* const mine = counts + (threadIdx.x & 1) * bins;

  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;

  if (thread < length % 8) {
    const int bin = Binning::bin_of(data[length - 1 - thread]);
    if (bin >= 0) atomicAdd(&mine[bin], 1u);
  }

  const uint2* const in = reinterpret_cast<const uint2*>(data);
  // `left` is one more than the index to be read, so that it can stay unsigned.
  std::size_t left = length / 8 > thread ? length / 8 - thread : 0;
  while (left > 0) {
    const uint2 v = in[left - 1];
#pragma unroll
    for (int shift = 24; shift >= 0; shift -= 8) {
      const int high = Binning::bin_of(static_cast<unsigned char>(v.y >> shift));
      const int low = Binning::bin_of(static_cast<unsigned char>(v.x >> shift));
      if (high >= 0) atomicAdd(&mine[high], 1u);
      if (low >= 0) atomicAdd(&mine[low], 1u);
    }
    left = left > threads ? left - threads : 0;
  }
  __syncthreads();

  for (int b = bins - 1 - static_cast<int>(threadIdx.x); b >= 0; b -= blockDim.x) {
    const unsigned int sum = counts[b] + counts[bins + b];
    if (sum > 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 384;
  const std::size_t need = (length + block * 24 - 1) / (block * 24);
  const std::size_t room = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(need < room ? need : room), block};
}
