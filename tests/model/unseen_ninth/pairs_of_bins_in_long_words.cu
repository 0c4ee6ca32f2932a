// SPDX-License-Identifier: MIT
// Two counters of 32 bits in each counter of 64 bits, added to by atomics of 64 bits. One block for each tile
// of 8 KiB; a thread reads 8 bytes at a time where the input is aligned.
#include "lab.hpp"

constexpr unsigned block_size = 64, tile_bytes = 8192;
using wide = unsigned long long;

template <class Binning>
__device__ __forceinline__ void count_byte(wide* pairs, unsigned byte) {
  const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
  if (bin >= 0) atomicAdd(&pairs[bin / 2], bin % 2 != 0 ? wide{1} << 32 : wide{1});
}

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned words = (Binning::bins + 1) / 2;
  __shared__ wide pairs[words];
  for (unsigned k = threadIdx.x; k < words; k += block_size) pairs[k] = 0;
  __syncthreads();

  const std::size_t begin = std::size_t{blockIdx.x} * tile_bytes;
  const unsigned bytes = length - begin < tile_bytes ? static_cast<unsigned>(length - begin) : tile_bytes;
  const unsigned char* const tile = data + begin;
  if (reinterpret_cast<std::uintptr_t>(tile) % 8 == 0 && bytes == tile_bytes) {
    const wide* const source = reinterpret_cast<const wide*>(tile);
#pragma unroll 2
    for (unsigned k = threadIdx.x; k < tile_bytes / 8; k += block_size) {
      wide eight = source[k];
      for (int byte = 0; byte < 8; ++byte, eight >>= 8) count_byte<Binning>(pairs, eight & 0xff);
    }
  } else {
    for (unsigned k = threadIdx.x; k < bytes; k += block_size) count_byte<Binning>(pairs, tile[k]);
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < words; k += block_size) {
    const wide both = pairs[k];
    const unsigned int even = static_cast<unsigned int>(both), odd = static_cast<unsigned int>(both >> 32);
    if (even != 0) atomicAdd(&histo[2 * k], even);
    if (odd != 0) atomicAdd(&histo[2 * k + 1], odd);
  }
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + tile_bytes - 1) / tile_bytes), block_size};
}
