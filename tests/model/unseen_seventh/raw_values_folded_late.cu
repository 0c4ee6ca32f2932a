// SPDX-License-Identifier: MIT
// Asks bin_of 256 times per block instead of once per byte: the block counts byte values, whatever the
// binning, in two tables for even and odd warps, and folds the values into bins only when it commits. Four
// words of a contiguous chunk at a time.
#include "lab.hpp"

constexpr unsigned values = 256;
constexpr unsigned tables = 2;
constexpr unsigned pitch = values + 16;  // the same value of both tables lies in different banks

__device__ __forceinline__ void tally(unsigned int* table, unsigned int word) {
  atomicAdd(&table[word & 0xff], 1u);
  atomicAdd(&table[__byte_perm(word, 0, 0x4441)], 1u);
  atomicAdd(&table[__byte_perm(word, 0, 0x4442)], 1u);
  atomicAdd(&table[word >> 24], 1u);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int raw[tables * pitch];
  __shared__ unsigned int folded[Binning::bins];
  for (unsigned i = threadIdx.x; i < tables * pitch; i += blockDim.x) raw[i] = 0;
  for (unsigned i = threadIdx.x; i < Binning::bins; i += blockDim.x) folded[i] = 0;
  __syncthreads();
  unsigned int* const table = raw + threadIdx.x / 32 % tables * pitch;

  std::size_t head = (4 - reinterpret_cast<std::uintptr_t>(data) % 4) % 4;
  if (head > length) head = length;
  const unsigned int* const words = reinterpret_cast<const unsigned int*>(data + head);
  const std::size_t count = (length - head) / 4;

  // Block b has the words of one chunk.
  const std::size_t chunk = (count + gridDim.x - 1) / gridDim.x;
  const std::size_t begin = blockIdx.x * chunk < count ? blockIdx.x * chunk : count;
  const std::size_t end = begin + chunk < count ? begin + chunk : count;
  std::size_t i = begin + threadIdx.x;
  for (; i + 3 * blockDim.x < end; i += 4 * blockDim.x) {
    const unsigned int a = words[i], b = words[i + blockDim.x], c = words[i + 2 * blockDim.x],
                       d = words[i + 3 * blockDim.x];
    tally(table, a);
    tally(table, b);
    tally(table, c);
    tally(table, d);
  }
  for (; i < end; i += blockDim.x) tally(table, words[i]);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    for (std::size_t k = 0; k < head; ++k) atomicAdd(&table[data[k]], 1u);
    for (std::size_t k = head + count * 4; k < length; ++k) atomicAdd(&table[data[k]], 1u);
  }
  __syncthreads();

  for (unsigned value = threadIdx.x; value < values; value += blockDim.x) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(value));
    const unsigned int both = raw[value] + raw[pitch + value];
    if (bin >= 0 && both > 0) atomicAdd(&folded[bin], both);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (folded[bin] > 0) atomicAdd(&histo[bin], folded[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 384;
  const std::size_t enough = length / (block * 16) + 1;
  const std::size_t most =
      std::size_t{4} * multiprocessors() * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
