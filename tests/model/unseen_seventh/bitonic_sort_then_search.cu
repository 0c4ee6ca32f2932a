// SPDX-License-Identifier: MIT
// Sorts instead of counting: a block of 512 sorts the bins of 2,048 bytes in shared memory by a bitonic
// network. Then a thread for each bin finds by binary search where it begins and ends. Atomics only for the
// final totals.
#include "lab.hpp"

constexpr unsigned block_threads = 512;
constexpr unsigned keys = 4 * block_threads;  // a power of two
constexpr unsigned short no_bin = 0xffff;

// The number of sorted keys below `key`.
__device__ inline unsigned lower_bound(const unsigned short* sorted, unsigned key) {
  unsigned low = 0, high = keys;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (sorted[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

template <class Binning>
__global__ void __launch_bounds__(block_threads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned short sorted[keys];
  constexpr unsigned bins = Binning::bins;
  static_assert(bins <= block_threads);
  unsigned int total = 0;  // of bin threadIdx.x

  for (std::size_t tile = std::size_t{blockIdx.x} * keys; tile < length;
       tile += std::size_t{gridDim.x} * keys) {
    for (unsigned k = threadIdx.x; k < keys; k += block_threads) {
      const int bin = tile + k < length ? Binning::bin_of(data[tile + k]) : -1;
      sorted[k] = bin < 0 ? no_bin : static_cast<unsigned short>(bin);
    }
    for (unsigned size = 2; size <= keys; size *= 2) {
      for (unsigned stride = size / 2; stride > 0; stride /= 2) {
        __syncthreads();
        for (unsigned pair = threadIdx.x; pair < keys / 2; pair += block_threads) {
          const unsigned low = 2 * pair - (pair & (stride - 1)), high = low + stride;
          const bool ascending = (low & size) == 0;
          const unsigned short a = sorted[low], b = sorted[high];
          if ((a > b) == ascending) {
            sorted[low] = b;
            sorted[high] = a;
          }
        }
      }
    }
    __syncthreads();
    if (threadIdx.x < bins) total += lower_bound(sorted, threadIdx.x + 1) - lower_bound(sorted, threadIdx.x);
    __syncthreads();
  }
  if (threadIdx.x < bins && total > 0) atomicAdd(&histo[threadIdx.x], total);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + keys - 1) / keys;
  const std::size_t resident =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Letters>, block_threads);
  return {static_cast<unsigned>(tiles < resident ? tiles : resident), block_threads};
}
