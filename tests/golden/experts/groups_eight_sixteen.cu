// SPDX-License-Identifier: MIT
// Cooperative groups: tiles of 8 threads count into a table each, reading 256 bytes at a time by words; tiles of 16 then
// take a bin each and add the 32 tables up with shfl_down.
#include <cooperative_groups.h>

#include "lab.hpp"

namespace cg = cooperative_groups;

constexpr unsigned kThreads = 256;
constexpr unsigned kCounting = 8, kSumming = 16;
constexpr unsigned kTables = kThreads / kCounting;
constexpr std::size_t kSegment = 256;

template <class Binning>
__device__ void count(unsigned int* table, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  if (bin >= 0) atomicAdd(table + bin, 1u);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned pitch = Binning::bins | 1;
  __shared__ unsigned int tables[kTables * pitch];
  const cg::thread_block block = cg::this_thread_block();

  {
    const auto tile = cg::tiled_partition<kCounting>(block);
    unsigned int* const table = tables + tile.meta_group_rank() * pitch;
    for (unsigned b = tile.thread_rank(); b < Binning::bins; b += tile.size()) table[b] = 0;
    tile.sync();

    const bool aligned = reinterpret_cast<std::uintptr_t>(data) % 4 == 0;
    const std::size_t tiles = std::size_t{gridDim.x} * kTables;
    std::size_t begin = (std::size_t{blockIdx.x} * kTables + tile.meta_group_rank()) * kSegment;
    for (; begin < length; begin += tiles * kSegment) {
      const unsigned n = static_cast<unsigned>(length - begin < kSegment ? length - begin : kSegment);
      const unsigned words = aligned ? n / 4 : 0;
      const unsigned int* from = reinterpret_cast<const unsigned int*>(data + begin);
      for (unsigned w = tile.thread_rank(); w < words; w += kCounting) {
        const unsigned int four = from[w];
        count<Binning>(table, four & 255);
        count<Binning>(table, (four >> 8) & 255);
        count<Binning>(table, (four >> 16) & 255);
        count<Binning>(table, four >> 24);
      }
      for (unsigned k = words * 4 + tile.thread_rank(); k < n; k += kCounting) count<Binning>(table, data[begin + k]);
    }
  }
  block.sync();

  const auto tile = cg::tiled_partition<kSumming>(block);
  for (unsigned b = tile.meta_group_rank(); b < Binning::bins; b += tile.meta_group_size()) {
    unsigned int sum = 0;
    for (unsigned t = tile.thread_rank(); t < kTables; t += kSumming) sum += tables[t * pitch + b];
    for (unsigned offset = kSumming / 2; offset > 0; offset /= 2) sum += tile.shfl_down(sum, offset);
    if (tile.thread_rank() == 0 && sum > 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kTables * kSegment;
  const std::size_t blocks = (length + tile - 1) / tile;
  const std::size_t most = std::size_t{multiprocessors()} * 6;
  return {static_cast<unsigned>(blocks < most ? blocks : most), kThreads};
}
