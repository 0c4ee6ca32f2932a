// SPDX-License-Identifier: MIT
// Even warps go forward through the first half of the input, odd warps backward through the second; each kind
// has a table of its own.
#include "lab.hpp"

constexpr unsigned block_threads = 512;

template <class Binning, class At>
__device__ __forceinline__ void walk(unsigned int* table, std::size_t from, std::size_t size,
                                     std::size_t step, At at) {
#pragma unroll 4
  for (std::size_t k = from; k < size; k += step) {
    const int bin = Binning::bin_of(at(k));
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int forward[Binning::bins], backward[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) forward[bin] = backward[bin] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32;
  const std::size_t pair = std::size_t{blockIdx.x} * (blockDim.x / 64) + threadIdx.x / 64;
  const std::size_t step = std::size_t{gridDim.x} * (blockDim.x / 64) * 32;
  const std::size_t half = length / 2;
  if (threadIdx.x / 32 % 2 == 0) {
    walk<Binning>(forward, pair * 32 + lane, half, step, [=](std::size_t k) { return data[k]; });
  } else {
    walk<Binning>(backward, pair * 32 + lane, length - half, step,
                  [=](std::size_t k) { return data[length - 1 - k]; });
  }
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int sum = forward[bin] + backward[bin];
    if (sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_threads * 16 - 1) / (block_threads * 16);
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_threads);
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
