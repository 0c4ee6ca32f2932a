// SPDX-License-Identifier: MIT
// 64-bit shared atomics: four counters of 16 bits in an unsigned long long, drained every 255 rounds of 256 threads.
#include "lab.hpp"

using Packed = unsigned long long;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned groups = (Binning::bins + 3) / 4;
  __shared__ Packed packed[groups];
  __shared__ unsigned int total[Binning::bins];

  for (unsigned g = threadIdx.x; g < groups; g += blockDim.x) packed[g] = 0;
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) total[b] = 0;
  __syncthreads();

  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const unsigned rounds_per_drain = 65535u / blockDim.x;
  std::size_t base = std::size_t{blockIdx.x} * blockDim.x;
  while (base < length) {
    for (unsigned round = 0; round < rounds_per_drain && base < length; ++round, base += stride) {
      const std::size_t i = base + threadIdx.x;
      if (i >= length) continue;
      const int bin = Binning::bin_of(data[i]);
      if (bin >= 0) atomicAdd(&packed[bin / 4], Packed{1} << (16 * (bin % 4)));
    }
    __syncthreads();
    for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x)
      total[b] += static_cast<unsigned>(packed[b / 4] >> (16 * (b % 4))) & 0xffffu;
    __syncthreads();
    for (unsigned g = threadIdx.x; g < groups; g += blockDim.x) packed[g] = 0;
    __syncthreads();
  }

  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (total[b] > 0) atomicAdd(&histo[b], total[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + block * 32 - 1) / (block * 32);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
