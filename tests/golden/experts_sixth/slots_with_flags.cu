// SPDX-License-Identifier: MIT
// One warp of four only loads. Each of the other three has a ring of four slots of 512 bytes, filled by the
// loader; flags in shared memory with release and acquire say which slots are full and which have been
// emptied. No barrier of the block between the first and the last one.
#include <cuda/atomic>

#include "lab.hpp"

constexpr unsigned block_size = 128, consumers = 3, slots = 4, slot_bytes = 512;

using flag = cuda::atomic_ref<unsigned int, cuda::thread_scope_block>;

__device__ __forceinline__ void wait_for(unsigned int& place, unsigned int value, unsigned lane) {
  if (lane == 0) {
    while (flag(place).load(cuda::memory_order_acquire) != value) __nanosleep(20);
  }
  __syncwarp();
}

__device__ __forceinline__ void publish(unsigned int& place, unsigned int value, unsigned lane) {
  __syncwarp();
  if (lane == 0) flag(place).store(value, cuda::memory_order_release);
}

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ uint4 ring[consumers][slots][32];
  __shared__ unsigned int filled[consumers][slots], emptied[consumers][slots];
  __shared__ unsigned int counts[consumers][Binning::bins];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned k = threadIdx.x; k < consumers * Binning::bins; k += block_size) counts[0][k] = 0;
  if (threadIdx.x < consumers * slots) {
    filled[0][threadIdx.x] = 0;
    emptied[0][threadIdx.x] = 0;
  }
  __syncthreads();

  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 15;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t all = (length - head) / slot_bytes;
  const std::size_t chunks = all > blockIdx.x ? (all - blockIdx.x - 1) / gridDim.x + 1 : 0;
  if (warp == consumers) {
    const uint4* from = reinterpret_cast<const uint4*>(data + head) + std::size_t{blockIdx.x} * 32 + lane;
    const std::size_t step = std::size_t{gridDim.x} * 32;
    uint4 next = {};
    if (chunks > 0) next = *from;
    unsigned consumer = 0, slot = 0;
    unsigned int round = 0;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      const uint4 here = next;
      from += step;
      if (chunk + 1 < chunks) next = *from;
      wait_for(emptied[consumer][slot], round, lane);
      ring[consumer][slot][lane] = here;
      publish(filled[consumer][slot], round + 1, lane);
      if (++consumer == consumers) {
        consumer = 0;
        if (++slot == slots) {
          slot = 0;
          ++round;
        }
      }
    }
  } else {
    unsigned int* const mine = counts[warp];
    const auto count = [&](unsigned int byte) {
      const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
      if (bin >= 0) atomicAdd_block(mine + bin, 1u);
    };
    unsigned slot = 0;
    unsigned int round = 0;
    for (std::size_t chunk = warp; chunk < chunks; chunk += consumers) {
      wait_for(filled[warp][slot], round + 1, lane);
      const uint4 here = ring[warp][slot][lane];
      publish(emptied[warp][slot], round + 1, lane);
      const unsigned int words[4] = {here.x, here.y, here.z, here.w};
#pragma unroll
      for (unsigned k = 0; k < 16; ++k) count(words[k / 4] >> k % 4 * 8 & 255);
      if (++slot == slots) {
        slot = 0;
        ++round;
      }
    }
    if (blockIdx.x == 0) {
      for (std::size_t at = threadIdx.x; at < head; at += consumers * 32) count(data[at]);
      for (std::size_t at = head + all * slot_bytes + threadIdx.x; at < length; at += consumers * 32) {
        count(data[at]);
      }
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    const unsigned int sum = counts[0][bin] + counts[1][bin] + counts[2][bin];
    if (sum > 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = slot_bytes * consumers * slots;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
