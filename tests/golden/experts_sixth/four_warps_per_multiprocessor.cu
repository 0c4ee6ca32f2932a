// SPDX-License-Identifier: MIT
// Better performance at lower occupancy? One block of 128 threads on each multiprocessor, a warp for each of
// its schedulers. What hides latency is in the thread: the next six vectors of 16 bytes are under way while
// the last six are counted, and each lane has counters of its own, in a bank of its own.
#include "lab.hpp"

constexpr unsigned block_size = 128, lanes = 32, batch = 6;

__device__ __forceinline__ void load(uint4 (&into)[batch], const uint4* vectors, std::size_t first,
                                     std::size_t step, std::size_t number) {
#pragma unroll
  for (unsigned k = 0; k < batch; ++k) {
    if (first + k * step < number) into[k] = vectors[first + k * step];
  }
}

template <class Binning>
__global__ void __launch_bounds__(block_size, 1)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins][lanes];
  for (unsigned k = threadIdx.x; k < Binning::bins * lanes; k += block_size) counts[0][k] = 0;
  __syncthreads();
  unsigned int* const mine = &counts[0][threadIdx.x % lanes];
  const auto count = [&](unsigned int byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    if (bin >= 0) atomicAdd(mine + bin * lanes, 1u);
  };

  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 15;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t number = (length - head) / 16;
  const uint4* const vectors = reinterpret_cast<const uint4*>(data + head);
  uint4 next[batch] = {};
  load(next, vectors, thread, threads, number);
  for (std::size_t i = thread; i < number; i += batch * threads) {
    uint4 here[batch];
#pragma unroll
    for (unsigned k = 0; k < batch; ++k) here[k] = next[k];
    load(next, vectors, i + batch * threads, threads, number);
#pragma unroll
    for (unsigned k = 0; k < batch; ++k) {
      if (i + k * threads >= number) break;
      const unsigned int words[4] = {here[k].x, here[k].y, here[k].z, here[k].w};
#pragma unroll
      for (unsigned j = 0; j < 16; ++j) count(words[j / 4] >> j % 4 * 8);
    }
  }
  if (thread < head) count(data[thread]);
  if (head + number * 16 + thread < length) count(data[head + number * 16 + thread]);
  __syncthreads();
  const unsigned lane = threadIdx.x % lanes;
  for (unsigned bin = threadIdx.x / lanes; bin < Binning::bins; bin += block_size / lanes) {
    const unsigned int sum = __reduce_add_sync(0xffffffffu, counts[bin][lane]);
    if (lane == 0 && sum > 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = block_size * batch * 16;
  const std::size_t enough = (length + of_block - 1) / of_block, most = multiprocessors();
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
