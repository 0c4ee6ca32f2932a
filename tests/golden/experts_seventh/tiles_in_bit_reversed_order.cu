// SPDX-License-Identifier: MIT
// Blocks visit tiles of 8 KiB in the order of their reversed numbers, as a Fourier transform would; numbers
// behind the last tile are passed over, so that not all blocks have the same number of tiles.
#include "lab.hpp"

constexpr unsigned block_size = 256, of_thread = 2;
constexpr unsigned tile_bytes = block_size * of_thread * sizeof(uint4);

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[4][Binning::bins];
  for (unsigned k = threadIdx.x; k < 4 * Binning::bins; k += block_size) counts[0][k] = 0;
  __syncthreads();
  unsigned int* const mine = counts[threadIdx.x / 64];
  const auto count = [&](unsigned int byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    if (bin >= 0) atomicAdd(mine + bin, 1u);
  };

  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % sizeof(uint4) == 0;
  const std::size_t tiles = (length + tile_bytes - 1) / tile_bytes;
  const unsigned bits = tiles > 2 ? 64 - __clzll(static_cast<long long>(tiles - 1)) : 1;
  for (std::size_t k = blockIdx.x; k < std::size_t{1} << bits; k += gridDim.x) {
    const std::size_t tile = __brevll(k) >> (64 - bits);
    if (tile >= tiles) continue;
    const std::size_t begin = tile * tile_bytes;
    if (aligned && begin + tile_bytes <= length) {
      const uint4* const from = reinterpret_cast<const uint4*>(data + begin) + threadIdx.x;
      const uint4 first = from[0], second = from[block_size];
      const unsigned int words[8] = {first.x,  first.y,  first.z,  first.w,
                                     second.x, second.y, second.z, second.w};
#pragma unroll
      for (unsigned int word : words) {
        count(word);
        count(word >> 8);
        count(word >> 16);
        count(word >> 24);
      }
    } else {
      const std::size_t end = begin + tile_bytes < length ? begin + tile_bytes : length;
#pragma unroll 4
      for (std::size_t at = begin + threadIdx.x; at < end; at += block_size) count(data[at]);
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    const unsigned int sum = counts[0][bin] + counts[1][bin] + counts[2][bin] + counts[3][bin];
    if (sum > 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tile_bytes - 1) / tile_bytes;
  const std::size_t most = 6 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(tiles < most ? tiles : most), block_size};
}
