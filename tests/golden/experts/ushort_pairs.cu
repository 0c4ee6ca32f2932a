// SPDX-License-Identifier: MIT
// Two bytes a load (unsigned short): equal pairs cost one atomic of 2, others two atomics.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();

  // An odd beginning: its first byte is counted alone, the pairs start behind it.
  const std::size_t skip = length > 0 && (reinterpret_cast<std::uintptr_t>(data) & 1) ? 1 : 0;
  const unsigned short* pairs = reinterpret_cast<const unsigned short*>(data + skip);
  const std::size_t pair_count = (length - skip) / 2;

  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t p = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; p < pair_count; p += stride) {
    const unsigned short two = pairs[p];
    const int a = Binning::bin_of(two & 0xff);
    const int b = Binning::bin_of(two >> 8);
    if (a == b) {
      if (a >= 0) atomicAdd(&counts[a], 2u);
    } else {
      if (a >= 0) atomicAdd(&counts[a], 1u);
      if (b >= 0) atomicAdd(&counts[b], 1u);
    }
  }

  if (blockIdx.x == gridDim.x - 1) {
    if (threadIdx.x == 0 && skip != 0) {
      const int bin = Binning::bin_of(data[0]);
      if (bin >= 0) atomicAdd(&counts[bin], 1u);
    }
    if (threadIdx.x == 32 && (length - skip) % 2 != 0) {
      const int bin = Binning::bin_of(data[length - 1]);
      if (bin >= 0) atomicAdd(&counts[bin], 1u);
    }
  }

  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (counts[b]) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  const std::size_t enough = (length + block * 16 - 1) / (block * 16);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
