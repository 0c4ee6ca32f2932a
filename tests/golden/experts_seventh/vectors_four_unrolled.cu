// SPDX-License-Identifier: MIT
// One table a block, sixteen bytes a load through the read-only cache, and a grid-stride loop that the
// compiler unrolls four times. Bytes before the first vector and behind the last one are counted singly.
#include "lab.hpp"

constexpr unsigned block_size = 256;

template <class Binning>
__global__ void __launch_bounds__(block_size, 8)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  __shared__ unsigned int table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) table[bin] = 0;
  __syncthreads();
  const auto count = [&](unsigned int byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  };
  const auto count_word = [&](unsigned int word) {
    count(word);
    count(word >> 8);
    count(word >> 16);
    count(word >> 24);
  };

  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 15;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t number = (length - head) / 16;
  const uint4* const vectors = reinterpret_cast<const uint4*>(data + head);
  if (thread < head) count(data[thread]);
#pragma unroll 4
  for (std::size_t i = thread; i < number; i += threads) {
    const uint4 vector = __ldg(vectors + i);
    count_word(vector.x);
    count_word(vector.y);
    count_word(vector.z);
    count_word(vector.w);
  }
  const std::size_t tail = head + number * 16 + thread;
  if (tail < length) count(data[tail]);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 64 - 1) / (block_size * 64);
  const std::size_t most = 8 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
