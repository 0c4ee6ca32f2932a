// SPDX-License-Identifier: MIT
// Gathers instead of scattering: the block puts the bins of 4,096 bytes into shared memory, and each thread
// owns one bin and looks for it in the tile, four bytes at a time by a SIMD compare. With few bins several
// threads share a bin's tile.
#include "lab.hpp"

constexpr unsigned block_threads = 256;
constexpr unsigned bytes_per_thread = 16;
constexpr unsigned tile_words = block_threads * bytes_per_thread / 4;
constexpr unsigned none = 0xff;  // a byte without bin; with 256 bins they are subtracted again

template <class Binning>
__device__ __forceinline__ unsigned int bins_of_word(unsigned int word, unsigned int& nones) {
  unsigned int result = 0;
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(word >> shift));
    if (bin < 0) ++nones;
    result |= (bin < 0 ? none : static_cast<unsigned>(bin)) << shift;
  }
  return result;
}

template <class Binning>
__global__ void __launch_bounds__(block_threads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned bins = Binning::bins;
  static_assert(bins <= block_threads);
  constexpr unsigned slices = block_threads / bins;
  __shared__ uint4 tile[block_threads];
  __shared__ unsigned int sums[bins];
  const unsigned thread = threadIdx.x, bin = thread % bins, slice = thread / bins;
  const unsigned int wanted = bin * 0x01010101u;
  if (thread < bins) sums[thread] = 0;

  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
  constexpr std::size_t tile_bytes = tile_words * 4;
  unsigned int found = 0, nones = 0;
  for (std::size_t base = std::size_t{blockIdx.x} * tile_bytes; base < length;
       base += std::size_t{gridDim.x} * tile_bytes) {
    const std::size_t begin = base + thread * bytes_per_thread;
    uint4 own;
    if (begin + bytes_per_thread <= length) {
      if (aligned) {
        own = *reinterpret_cast<const uint4*>(data + begin);
      } else {
        unsigned int words[4] = {0, 0, 0, 0};
#pragma unroll
        for (unsigned k = 0; k < 16; ++k)
          words[k / 4] |= static_cast<unsigned>(data[begin + k]) << (k % 4 * 8);
        own = make_uint4(words[0], words[1], words[2], words[3]);
      }
      own.x = bins_of_word<Binning>(own.x, nones);
      own.y = bins_of_word<Binning>(own.y, nones);
      own.z = bins_of_word<Binning>(own.z, nones);
      own.w = bins_of_word<Binning>(own.w, nones);
    } else {
      unsigned int words[4];
      for (unsigned w = 0; w < 4; ++w) {
        words[w] = 0;
        for (unsigned k = 0; k < 4; ++k) {
          const std::size_t at = begin + w * 4 + k;
          const int of_byte = at < length ? Binning::bin_of(data[at]) : -1;
          if (of_byte < 0) ++nones;
          words[w] |= (of_byte < 0 ? none : static_cast<unsigned>(of_byte)) << (k * 8);
        }
      }
      own = make_uint4(words[0], words[1], words[2], words[3]);
    }
    __syncthreads();  // the tile before has been read
    tile[thread] = own;
    __syncthreads();
    if (slice < slices) {
      unsigned int bits = 0;
      const unsigned int* const words = reinterpret_cast<const unsigned int*>(tile);
      for (unsigned w = slice; w < tile_words; w += slices) bits += __popc(__vcmpeq4(words[w], wanted));
      found += bits / 8;
    }
  }
  __syncthreads();
  if (slice < slices && found > 0) atomicAdd(&sums[bin], found);
  if constexpr (bins > none) {
    if (nones > 0) atomicSub(&sums[none], nones);
  }
  __syncthreads();
  if (thread < bins && sums[thread] > 0) atomicAdd(&histo[thread], sums[thread]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile_bytes = tile_words * 4;
  const std::size_t tiles = (length + tile_bytes - 1) / tile_bytes;
  const std::size_t most = std::size_t{multiprocessors()} * 8;
  return {static_cast<unsigned>(tiles < most ? tiles : most), block_threads};
}
