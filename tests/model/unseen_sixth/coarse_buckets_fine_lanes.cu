// SPDX-License-Identifier: MIT
// Two levels: the block first scatters a tile of 2 KB into buckets of 32 bins in shared memory, lanes with
// the same bucket together; then each warp takes a bucket, and its lanes count one fine bin each in a
// register, by votes.
#include "lab.hpp"

constexpr unsigned block_threads = 256;  // eight warps, for up to eight buckets
constexpr unsigned bytes_per_thread = 8;
constexpr unsigned tile = block_threads * bytes_per_thread;
constexpr unsigned full_warp = 0xffffffffu;

template <class Binning>
__global__ void __launch_bounds__(block_threads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned buckets = (Binning::bins + 31) / 32;
  __shared__ unsigned char fine[buckets][tile];
  __shared__ unsigned int sizes[buckets];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x < buckets) sizes[threadIdx.x] = 0;
  __syncthreads();

  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % 8 == 0;
  unsigned int own = 0;  // of bin 32 * warp + lane
  for (std::size_t begin = std::size_t{blockIdx.x} * tile; begin < length;
       begin += std::size_t{gridDim.x} * tile) {
    const std::size_t mine = begin + threadIdx.x * bytes_per_thread;
    uint2 pair = {0, 0};
    const bool whole = mine + bytes_per_thread <= length;
    const unsigned int valid = whole           ? bytes_per_thread
                               : mine < length ? static_cast<unsigned>(length - mine)
                                               : 0;
    if (aligned && whole) {
      pair = *reinterpret_cast<const uint2*>(data + mine);
    } else {
      for (unsigned k = 0; k < valid; ++k) {
        (k < 4 ? pair.x : pair.y) |= static_cast<unsigned int>(data[mine + k]) << (8 * (k % 4));
      }
    }
#pragma unroll
    for (unsigned k = 0; k < bytes_per_thread; ++k) {
      const unsigned int word = k < 4 ? pair.x : pair.y;
      const int bin = k < valid ? Binning::bin_of(static_cast<unsigned char>(word >> (8 * (k % 4)))) : -1;
      const int bucket = bin >> 5;  // -1 stays -1
      const unsigned int peers = __match_any_sync(full_warp, bucket);
      const int leader = __ffs(peers) - 1;
      unsigned int place = 0;
      if (bin >= 0 && static_cast<int>(lane) == leader) place = atomicAdd(&sizes[bucket], __popc(peers));
      place = __shfl_sync(full_warp, place, leader) + __popc(peers & ((1u << lane) - 1));
      if (bin >= 0) fine[bucket][place] = static_cast<unsigned char>(bin & 31);
    }
    __syncthreads();

    if (warp < buckets) {
      const unsigned int size = sizes[warp];
      for (unsigned i = 0; i < size; i += 32) {
        const bool here = i + lane < size;
        const unsigned int key = here ? fine[warp][i + lane] : 0;
        unsigned int same = __ballot_sync(full_warp, here);
#pragma unroll
        for (int bit = 0; bit < 5; ++bit) {
          const unsigned int plane = __ballot_sync(full_warp, (key >> bit) & 1);
          same &= (lane >> bit) & 1 ? plane : ~plane;
        }
        own += __popc(same);
      }
      __syncwarp();
      if (lane == 0) sizes[warp] = 0;
    }
    __syncthreads();
  }
  if (threadIdx.x < Binning::bins && own > 0) atomicAdd(&histo[threadIdx.x], own);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = length / (4 * tile) + 1;
  const std::size_t most =
      std::size_t{2} * multiprocessors() * resident_blocks(histogram_kernel<Bytes>, block_threads);
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
