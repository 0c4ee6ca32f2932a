// SPDX-License-Identifier: MIT
// Every warp draws pieces of 4 KiB from one queue in global memory (cuda::atomic_ref, relaxed) and keeps a
// table of its own. The count of finished blocks wraps to zero by atomicInc; whoever wraps it also empties
// the queue.
#include <cuda/atomic>

#include "lab.hpp"

constexpr unsigned kWarps = 8, kThreads = kWarps * 32;
constexpr unsigned kPiece = 4096, kRounds = kPiece / (32 * 4);

__device__ unsigned long long queue_head;
__device__ unsigned int finished;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int bins = Binning::bins;
  __shared__ unsigned int tables[kWarps][bins];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned int* const table = tables[warp];
  for (int b = lane; b < bins; b += 32) table[b] = 0;
  __syncwarp();

  const auto count = [table](unsigned int byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  };
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> head(queue_head);

  for (;;) {
    unsigned long long from = 0;
    if (lane == 0) from = head.fetch_add(kPiece, cuda::memory_order_relaxed);
    from = __shfl_sync(0xffffffffu, from, 0);
    if (from >= length) break;
    if (length - from >= kPiece) {
      const unsigned int* const words = reinterpret_cast<const unsigned int*>(data + from);
#pragma unroll 8
      for (unsigned r = 0; r < kRounds; ++r) {
        const unsigned int word = words[r * 32 + lane];
        count(word & 0xff);
        count(word >> 8 & 0xff);
        count(word >> 16 & 0xff);
        count(word >> 24);
      }
    } else {
      for (std::size_t i = from + lane; i < length; i += 32) count(data[i]);
    }
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += kThreads) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned w = 0; w < kWarps; ++w) sum += tables[w][b];
    if (sum > 0) atomicAdd(&histo[b], sum);
  }
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1) head.store(0, cuda::memory_order_relaxed);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t share = kWarps * kPiece;
  const std::size_t need = (length + share - 1) / share;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(need < room ? need : room), kThreads};
}
