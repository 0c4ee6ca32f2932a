// SPDX-License-Identifier: MIT
// Two tiles in shared memory take turns: while one is counted the next one is on its way into registers, so that a
// single barrier a tile is enough. A table a warp.
#include "lab.hpp"

namespace ping_pong {

constexpr unsigned threads = 128;
constexpr unsigned tile_bytes = threads * sizeof(uint2);

// Tile t of the input, this thread's eight bytes.
__device__ inline uint2 fetch(const unsigned char* data, std::size_t t, bool aligned) {
  const std::size_t at = t * tile_bytes + threadIdx.x * sizeof(uint2);
  if (aligned) return *reinterpret_cast<const uint2*>(data + at);
  uint2 v = make_uint2(0, 0);
  for (int k = 3; k >= 0; --k) {
    v.x = v.x << 8 | data[at + k];
    v.y = v.y << 8 | data[at + 4 + k];
  }
  return v;
}

template <class Binning>
__device__ inline void add(unsigned int* table, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  if (bin >= 0) atomicAdd(table + bin, 1u);
}

}  // namespace ping_pong

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  using namespace ping_pong;
  constexpr unsigned warps = threads / 32;
  __shared__ uint2 stage[2][threads];
  __shared__ unsigned int tables[warps][Binning::bins];
  for (unsigned b = threadIdx.x % 32; b < Binning::bins; b += 32) tables[threadIdx.x / 32][b] = 0;

  unsigned int* const mine = tables[threadIdx.x / 32];
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % sizeof(uint2) == 0;
  const std::size_t tiles = length / tile_bytes;
  std::size_t t = blockIdx.x;
  uint2 coming = t < tiles ? fetch(data, t, aligned) : make_uint2(0, 0);
  __syncthreads();

  for (unsigned side = 0; t < tiles; side ^= 1) {
    stage[side][threadIdx.x] = coming;
    t += gridDim.x;
    if (t < tiles) coming = fetch(data, t, aligned);
    __syncthreads();
    // Neighbouring threads take neighbouring bytes, four threads a word.
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(stage[side]);
#pragma unroll
    for (unsigned k = threadIdx.x; k < tile_bytes; k += threads) add<Binning>(mine, bytes[k]);
  }

  // What is left is shorter than a tile.
  if (blockIdx.x == 0)
    for (std::size_t i = tiles * tile_bytes + threadIdx.x; i < length; i += threads) add<Binning>(mine, data[i]);
  __syncthreads();

  for (unsigned b = threadIdx.x; b < Binning::bins; b += threads) {
    unsigned int sum = 0;
    for (unsigned w = 0; w < warps; ++w) sum += tables[w][b];
    if (sum > 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t few_tiles = 6 * ping_pong::tile_bytes;
  const std::size_t blocks = (length + few_tiles - 1) / few_tiles;
  const std::size_t most = std::size_t{multiprocessors()} * 8;
  return {static_cast<unsigned>(blocks < most ? blocks : most), ping_pong::threads};
}
