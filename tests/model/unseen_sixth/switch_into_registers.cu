// SPDX-License-Identifier: MIT
// The first eight bins are counted in registers of the thread, chosen by a switch; higher bins, if there are
// any, with shared atomics. Warps add up their registers with shuffles at the end. 4 bytes a load, two loads
// under way.
#include "lab.hpp"

constexpr unsigned block_threads = 256;

struct Eight {
  unsigned int c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0, c6 = 0, c7 = 0;
};

template <class Binning>
__device__ __forceinline__ void count_byte(Eight& own, unsigned int* counts, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  switch (bin) {
    case 0:
      ++own.c0;
      break;
    case 1:
      ++own.c1;
      break;
    case 2:
      ++own.c2;
      break;
    case 3:
      ++own.c3;
      break;
    case 4:
      ++own.c4;
      break;
    case 5:
      ++own.c5;
      break;
    case 6:
      ++own.c6;
      break;
    case 7:
      ++own.c7;
      break;
    default:
      if (Binning::bins > 8 && bin >= 0) atomicAdd(&counts[bin], 1u);
  }
}

template <class Binning>
__device__ __forceinline__ void count_word(Eight& own, unsigned int* counts, unsigned int word) {
#pragma unroll
  for (int k = 0; k < 4; ++k) count_byte<Binning>(own, counts, static_cast<unsigned char>(word >> (8 * k)));
}

template <class Binning>
__device__ __forceinline__ void commit(unsigned int* counts, int bin, unsigned int count) {
  for (unsigned offset = 16; offset > 0; offset /= 2) count += __shfl_down_sync(0xffffffffu, count, offset);
  if (threadIdx.x % 32 == 0 && bin < Binning::bins && count > 0) atomicAdd(&counts[bin], count);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  Eight own;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 4 : 0;
  const unsigned int* source = reinterpret_cast<const unsigned int*>(data);
  std::size_t w = thread;
  for (; w + threads < words; w += 2 * threads) {
    const unsigned int here = source[w], there = source[w + threads];
    count_word<Binning>(own, counts, here);
    count_word<Binning>(own, counts, there);
  }
  if (w < words) count_word<Binning>(own, counts, source[w]);
  for (std::size_t i = words * 4 + thread; i < length; i += threads)
    count_byte<Binning>(own, counts, data[i]);

  commit<Binning>(counts, 0, own.c0), commit<Binning>(counts, 1, own.c1);
  commit<Binning>(counts, 2, own.c2), commit<Binning>(counts, 3, own.c3);
  commit<Binning>(counts, 4, own.c4), commit<Binning>(counts, 5, own.c5);
  commit<Binning>(counts, 6, own.c6), commit<Binning>(counts, 7, own.c7);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = length / (block_threads * 64) + 1;
  const std::size_t most =
      std::size_t{2} * multiprocessors() * resident_blocks(histogram_kernel<Bytes>, block_threads);
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
