// SPDX-License-Identifier: MIT
// Eight warps count tiles of 16 KiB in tables of their own, with counters of 16 bits; a ninth warp empties
// the tables of the tile before into its registers meanwhile. Two sets of tables change places at a barrier.
#include "lab.hpp"

constexpr unsigned counting_warps = 8, block_size = (counting_warps + 1) * 32;
constexpr unsigned counting = counting_warps * 32, tile_bytes = 16 * 1024;

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  constexpr unsigned words = (Binning::bins + 1) / 2, of_lane = (words + 31) / 32;
  __shared__ unsigned int tables[2][counting_warps][words];  // bins 2k and 2k + 1
  for (unsigned k = threadIdx.x; k < 2 * counting_warps * words; k += block_size) tables[0][0][k] = 0;
  __syncthreads();

  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
  unsigned int low[of_lane] = {}, high[of_lane] = {};
  const auto drain = [&](unsigned set) {
#pragma unroll
    for (unsigned j = 0; j < of_lane; ++j) {
      const unsigned word = j * 32 + lane;
      if (word >= words) break;
#pragma unroll
      for (unsigned k = 0; k < counting_warps; ++k) {
        const unsigned int both = tables[set][k][word];
        tables[set][k][word] = 0;
        low[j] += both & 0xffff;
        high[j] += both >> 16;
      }
    }
  };
  const auto count = [&](unsigned int* table, unsigned int byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    if (bin >= 0) atomicAdd(table + bin / 2, bin % 2 ? 0x10000u : 1u);
  };

  unsigned set = 0;
  for (std::size_t tile = std::size_t{blockIdx.x} * tile_bytes; tile < length;
       tile += std::size_t{gridDim.x} * tile_bytes) {
    if (warp == counting_warps) {
      drain(set ^ 1);
    } else if (aligned && tile + tile_bytes <= length) {
      unsigned int* const table = tables[set][warp];
      const uint4* const from = reinterpret_cast<const uint4*>(data + tile) + threadIdx.x;
      constexpr unsigned turns = tile_bytes / 16 / counting;
      uint4 vectors[turns];
#pragma unroll
      for (unsigned k = 0; k < turns; ++k) vectors[k] = from[k * counting];
#pragma unroll
      for (unsigned k = 0; k < turns; ++k) {
        const unsigned int parts[4] = {vectors[k].x, vectors[k].y, vectors[k].z, vectors[k].w};
#pragma unroll
        for (unsigned j = 0; j < 16; ++j) count(table, parts[j / 4] >> j % 4 * 8 & 255);
      }
    } else {
      const std::size_t end = tile + tile_bytes < length ? tile + tile_bytes : length;
      for (std::size_t at = tile + threadIdx.x; at < end; at += counting) count(tables[set][warp], data[at]);
    }
    __syncthreads();
    set ^= 1;
  }
  if (warp < counting_warps) return;
  drain(set ^ 1);
#pragma unroll
  for (unsigned j = 0; j < of_lane; ++j) {
    const unsigned bin = (j * 32 + lane) * 2;
    if (bin < Binning::bins && low[j] > 0) atomicAdd(histo + bin, low[j]);
    if (bin + 1 < Binning::bins && high[j] > 0) atomicAdd(histo + bin + 1, high[j]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tile_bytes - 1) / tile_bytes;
  const std::size_t most = 5 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(tiles < most ? tiles : most), block_size};
}
