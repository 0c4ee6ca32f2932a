// SPDX-License-Identifier: MIT
// The tile is staged in shared memory and every warp reads all of it, but counts only its own eighth of the bins: in
// registers, added up by __reduce_add_sync, when these are few, else in shared counters that no other warp touches.
#include "lab.hpp"

constexpr unsigned kWarps = 8, kThreads = kWarps * 32;
constexpr unsigned kTile = kThreads * sizeof(uint4);

template <class Visit>
__device__ __forceinline__ void visit_tile(const uint4* stage, unsigned n, unsigned lane, Visit visit) {
  const unsigned int* words = reinterpret_cast<const unsigned int*>(stage);
#pragma unroll 4
  for (unsigned w = lane; w < n / 4; w += 32) {
    const unsigned int word = words[w];
    visit(word & 0xff);
    visit(word >> 8 & 0xff);
    visit(word >> 16 & 0xff);
    visit(word >> 24);
  }
  const unsigned rest = n / 4 * 4 + lane;
  if (rest < n) visit(reinterpret_cast<const unsigned char*>(stage)[rest]);
}

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned bins = Binning::bins, own = (bins + kWarps - 1) / kWarps;
  constexpr bool registers = own <= 4;
  __shared__ uint4 stage[kThreads];
  __shared__ unsigned int counts[registers ? 1 : kWarps * own];

  const unsigned lane = threadIdx.x % 32, low = threadIdx.x / 32 * own;
  unsigned int n[registers ? own : 1] = {};
  if constexpr (!registers) {
    for (unsigned k = lane; k < own; k += 32) counts[low + k] = 0;
    __syncwarp();
  }

  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % sizeof(uint4) == 0;
  for (std::size_t base = std::size_t{blockIdx.x} * kTile; base < length; base += std::size_t{gridDim.x} * kTile) {
    const unsigned size = static_cast<unsigned>(length - base < kTile ? length - base : kTile);
    if (aligned && size == kTile) {
      stage[threadIdx.x] = reinterpret_cast<const uint4*>(data + base)[threadIdx.x];
    } else {
      unsigned char* bytes = reinterpret_cast<unsigned char*>(stage);
      for (unsigned k = threadIdx.x; k < size; k += kThreads) bytes[k] = data[base + k];
    }
    __syncthreads();
    visit_tile(stage, size, lane, [&](unsigned char byte) {
      const unsigned at = static_cast<unsigned>(Binning::bin_of(byte)) - low;  // -1 becomes huge
      if constexpr (registers) {
#pragma unroll
        for (unsigned k = 0; k < own; ++k) n[k] += at == k;
      } else {
        if (at < own) atomicAdd(&counts[low + at], 1u);
      }
    });
    __syncthreads();
  }

  if constexpr (registers) {
#pragma unroll
    for (unsigned k = 0; k < own; ++k) {
      const unsigned int sum = __reduce_add_sync(0xffffffffu, n[k]);
      if (lane == k && low + k < bins && sum > 0) atomicAdd(&histo[low + k], sum);
    }
  } else {
    for (unsigned k = lane; k < own && low + k < bins; k += 32)
      if (counts[low + k] > 0) atomicAdd(&histo[low + k], counts[low + k]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + kTile - 1) / kTile;
  const std::size_t most = multiprocessors();
  return {static_cast<unsigned>(tiles < most ? tiles : most), kThreads};
}
