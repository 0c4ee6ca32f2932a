// SPDX-License-Identifier: MIT
// A tile of 2 KiB becomes a list of its runs: a thread marks the heads of runs among its eight bytes, a scan
// over the block gives each head its place in the list, and then neighbouring threads take neighbouring runs
// and add their lengths.
#include <cub/block/block_scan.cuh>

#include "lab.hpp"

constexpr unsigned block_size = 256, of_thread = 8, tile_bytes = block_size * of_thread;

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  using Scan = cub::BlockScan<unsigned int, block_size>;
  __shared__ typename Scan::TempStorage room;
  __shared__ unsigned int counts[Binning::bins];
  __shared__ unsigned int heads[tile_bytes + 1];  // where a run begins and, above it, its class
  __shared__ unsigned int last_of_warp[block_size / 32];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) counts[bin] = 0;

  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % of_thread == 0;
  constexpr unsigned int not_counted = Binning::bins, outside = not_counted + 1;
  for (std::size_t tile = std::size_t{blockIdx.x} * tile_bytes; tile < length;
       tile += std::size_t{gridDim.x} * tile_bytes) {
    const unsigned here = length - tile < tile_bytes ? static_cast<unsigned>(length - tile) : tile_bytes;
    const unsigned first = threadIdx.x * of_thread;
    unsigned int classes[of_thread];
    uint2 eight = make_uint2(0, 0);
    const bool whole = aligned && first + of_thread <= here;
    if (whole) eight = *reinterpret_cast<const uint2*>(data + tile + first);
#pragma unroll
    for (unsigned k = 0; k < of_thread; ++k) {
      if (first + k < here) {
        const unsigned char byte = whole
                                       ? static_cast<unsigned char>((k < 4 ? eight.x : eight.y) >> k % 4 * 8)
                                       : data[tile + first + k];
        const int bin = Binning::bin_of(byte);
        classes[k] = bin < 0 ? not_counted : bin;
      } else {
        classes[k] = outside;
      }
    }
    unsigned int before = __shfl_up_sync(0xffffffffu, classes[of_thread - 1], 1);
    if (lane == 31) last_of_warp[warp] = classes[of_thread - 1];
    __syncthreads();
    if (lane == 0) before = warp == 0 ? outside : last_of_warp[warp - 1];

    unsigned int flags = 0;
#pragma unroll
    for (unsigned k = 0; k < of_thread; ++k) {
      const unsigned int left = k == 0 ? before : classes[k - 1];
      if (classes[k] != outside && classes[k] != left) flags |= 1u << k;
    }
    unsigned int place = 0, runs = 0;
    Scan(room).ExclusiveSum(static_cast<unsigned int>(__popc(flags)), place, runs);
#pragma unroll
    for (unsigned k = 0; k < of_thread; ++k) {
      if (flags >> k & 1) heads[place++] = classes[k] << 16 | (first + k);
    }
    if (threadIdx.x == 0) heads[runs] = here;
    __syncthreads();
    for (unsigned run = threadIdx.x; run < runs; run += block_size) {
      const unsigned int head = heads[run], next = heads[run + 1] & 0xffff;
      if (head >> 16 != not_counted) atomicAdd(counts + (head >> 16), next - (head & 0xffff));
    }
    __syncthreads();
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    if (counts[bin] > 0) atomicAdd(histo + bin, counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tile_bytes - 1) / tile_bytes;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size);
  return {static_cast<unsigned>(tiles < most ? tiles : most), block_size};
}
