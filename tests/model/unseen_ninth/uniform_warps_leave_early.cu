// SPDX-License-Identifier: MIT
// If all bytes that a warp has at hand are the same, one lane adds their number; otherwise each lane joins
// the runs in its word. Made for pictures with large areas of one colour.
#include "lab.hpp"

constexpr unsigned block_size = 1024, everyone = 0xffffffffu;

template <class Binning>
__device__ void count_warp(unsigned int* counts, unsigned word, unsigned lane) {
  int uniform = 0;
  __match_all_sync(everyone, word, &uniform);
  if (uniform != 0 && word == (word & 0xffu) * 0x01010101u) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(word));
    if (lane == 0 && bin >= 0) atomicAdd(counts + bin, 128u);
    return;
  }
  int last = Binning::bin_of(static_cast<unsigned char>(word));
  unsigned run = 1;
#pragma unroll
  for (int shift = 8; shift < 32; shift += 8) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(word >> shift));
    if (bin == last) {
      ++run;
    } else {
      if (last >= 0) atomicAdd(counts + last, run);
      last = bin;
      run = 1;
    }
  }
  if (last >= 0) atomicAdd(counts + last, run);
}

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  if (threadIdx.x < Binning::bins) counts[threadIdx.x] = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 3;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t in_warps = (length - head) / 128 * 32;  // words
  const unsigned int* const words = reinterpret_cast<const unsigned int*>(data + head);
  for (std::size_t k = thread; k < in_warps; k += threads)
    count_warp<Binning>(counts, __ldcs(words + k), lane);

  const auto single = [&](std::size_t at) {
    const int bin = Binning::bin_of(data[at]);
    if (bin >= 0) atomicAdd(counts + bin, 1u);
  };
  if (thread < head) single(thread);
  if (head + in_warps * 4 + thread < length) single(head + in_warps * 4 + thread);
  __syncthreads();
  if (threadIdx.x < Binning::bins && counts[threadIdx.x] > 0) {
    atomicAdd(histo + threadIdx.x, counts[threadIdx.x]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 16 - 1) / (block_size * 16);
  const std::size_t most = 2 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
