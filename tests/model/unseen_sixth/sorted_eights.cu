// SPDX-License-Identifier: MIT
// A thread loads eight bytes one by one, sorts their bins with a network of 19 comparators in registers, and
// adds each run of equal bins with one shared atomic. Blocks of 128, twice as many as are resident.
#include "lab.hpp"

constexpr unsigned block_threads = 128;
constexpr int nothing = 256;  // sorts behind every bin

template <class Binning>
__device__ __forceinline__ int key_of(unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  return bin >= 0 ? bin : nothing;
}

__device__ __forceinline__ void order(int& a, int& b) {
  const int low = min(a, b);
  b = max(a, b);
  a = low;
}

__device__ __forceinline__ void sort8(int (&k)[8]) {
  order(k[0], k[2]), order(k[1], k[3]), order(k[4], k[6]), order(k[5], k[7]);
  order(k[0], k[4]), order(k[1], k[5]), order(k[2], k[6]), order(k[3], k[7]);
  order(k[0], k[1]), order(k[2], k[3]), order(k[4], k[5]), order(k[6], k[7]);
  order(k[2], k[4]), order(k[3], k[5]);
  order(k[1], k[4]), order(k[3], k[6]);
  order(k[1], k[2]), order(k[3], k[4]), order(k[5], k[6]);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + 7 * threads < length; i += 8 * threads) {
    int keys[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) keys[k] = key_of<Binning>(__ldg(&data[i + k * threads]));
    sort8(keys);
    unsigned int run = 1;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if (k == 7 || keys[k] != keys[k < 7 ? k + 1 : 7]) {
        if (keys[k] != nothing) atomicAdd(&counts[keys[k]], run);
        run = 0;
      }
      ++run;
    }
  }
  for (; i < length; i += threads) {
    const int key = key_of<Binning>(__ldg(&data[i]));
    if (key != nothing) atomicAdd(&counts[key], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = length / (block_threads * 32) + 1;
  const std::size_t most =
      std::size_t{2} * multiprocessors() * resident_blocks(histogram_kernel<Bytes>, block_threads);
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
