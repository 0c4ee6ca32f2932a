// SPDX-License-Identifier: MIT
// A block reads its 8 KiB twice: first for the smallest and the largest bin, then to count. Only the counters
// between these two are cleared and committed; a block without a counted byte leaves early.
#include "lab.hpp"

constexpr unsigned block_threads = 256;
constexpr unsigned piece = 8192;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ int lowest, highest;
  if (threadIdx.x == 0) {
    lowest = Binning::bins;
    highest = -1;
  }
  __syncthreads();

  const std::size_t begin = std::size_t{blockIdx.x} * piece;
  const unsigned size = length - begin < piece ? static_cast<unsigned>(length - begin) : piece;
  const unsigned char* const bytes = data + begin;

  int low = Binning::bins, high = -1;
  for (unsigned i = threadIdx.x; i < size; i += block_threads) {
    const int bin = Binning::bin_of(bytes[i]);
    if (bin >= 0) low = min(low, bin);
    high = max(high, bin);
  }
  low = __reduce_min_sync(0xffffffffu, low);
  high = __reduce_max_sync(0xffffffffu, high);
  if (threadIdx.x % 32 == 0) {
    atomicMin(&lowest, low);
    atomicMax(&highest, high);
  }
  __syncthreads();
  low = lowest;
  high = highest;
  if (high < low) return;

  for (int bin = low + static_cast<int>(threadIdx.x); bin <= high; bin += block_threads) counts[bin] = 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < size; i += block_threads) {
    const int bin = Binning::bin_of(bytes[i]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  for (int bin = low + static_cast<int>(threadIdx.x); bin <= high; bin += block_threads) {
    const unsigned int count = counts[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + piece - 1) / piece), block_threads};
}
