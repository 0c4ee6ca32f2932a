// SPDX-License-Identifier: MIT
// Sixteen warps with a table each, a word of padding between them; the tables are folded in half until one is left.
#include "lab.hpp"

template <int Warps, int Bins>
struct PaddedTables {
  static constexpr int pitch = Bins + 1;
  unsigned int word[Warps * pitch];

  __device__ unsigned int* of(int warp) { return word + warp * pitch; }

  __device__ void clear() {
    for (int i = threadIdx.x; i < Warps * pitch; i += Warps * 32) word[i] = 0;
  }

  // Leaves the sums in table 0; all threads of the block come here.
  __device__ void fold() {
#pragma unroll
    for (int half = Warps / 2; half > 0; half /= 2) {
      __syncthreads();
      for (int i = threadIdx.x; i < half * Bins; i += Warps * 32) {
        const int warp = i / Bins, bin = i % Bins;
        of(warp)[bin] += of(warp + half)[bin];
      }
    }
    __syncthreads();
  }
};

static constexpr int warps_of_block = 16;

template <class Binning>
__global__ void __launch_bounds__(warps_of_block * 32)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  using Tables = PaddedTables<warps_of_block, Binning::bins>;
  __shared__ Tables tables;
  tables.clear();
  __syncthreads();

  unsigned int* const mine = tables.of(threadIdx.x / 32);
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 4 : 0;

#pragma unroll 4
  for (std::size_t i = first; i < words; i += stride) {
    const unsigned int four = reinterpret_cast<const unsigned int*>(data)[i];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int bin = Binning::bin_of(__byte_perm(four, 0, 0x4440 + k));
      if (bin >= 0) atomicAdd(mine + bin, 1u);
    }
  }
  for (std::size_t i = words * 4 + first; i < length; i += stride) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(mine + bin, 1u);
  }

  tables.fold();
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (tables.of(0)[b] != 0) atomicAdd(&histo[b], tables.of(0)[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = warps_of_block * 32 * 16;
  const std::size_t blocks = (length + tile - 1) / tile;
  const std::size_t most = std::size_t{multiprocessors()} * 2;
  return {static_cast<unsigned>(blocks < most ? blocks : most), warps_of_block * 32};
}
