// SPDX-License-Identifier: MIT
// Blocks of one warp: lane l owns the counters [bin * 32 + l], all in bank l. They are volatile, no atomics are needed.
#include "lab.hpp"

constexpr unsigned kLanes = 32;
constexpr std::size_t kTile = 4096;

template <class Binning>
__device__ void bump(volatile unsigned int* column, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  if (bin >= 0) column[bin * kLanes] = column[bin * kLanes] + 1;
}

template <class Binning>
__global__ void __launch_bounds__(kLanes)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ volatile unsigned int counts[Binning::bins * kLanes];
  const unsigned lane = threadIdx.x;
  volatile unsigned int* const column = counts + lane;
#pragma unroll 4
  for (unsigned b = 0; b < Binning::bins; ++b) column[b * kLanes] = 0;

  const bool quads = reinterpret_cast<std::uintptr_t>(data) % alignof(uchar4) == 0;
  for (std::size_t begin = blockIdx.x * kTile; begin < length; begin += gridDim.x * kTile) {
    const unsigned n = static_cast<unsigned>(length - begin < kTile ? length - begin : kTile);
    const unsigned whole = quads ? n / 4 : 0;
    const uchar4* source = reinterpret_cast<const uchar4*>(data + begin);
#pragma unroll 2
    for (unsigned k = lane; k < whole; k += kLanes) {
      const uchar4 q = __ldcs(source + k);
      bump<Binning>(column, q.x);
      bump<Binning>(column, q.y);
      bump<Binning>(column, q.z);
      bump<Binning>(column, q.w);
    }
    for (unsigned k = whole * 4 + lane; k < n; k += kLanes) bump<Binning>(column, __ldcs(data + begin + k));
  }
  __syncwarp();

  // A lane adds up a whole row, beginning in its own bank.
  for (unsigned b = lane; b < Binning::bins; b += kLanes) {
    unsigned int sum = 0;
#pragma unroll 8
    for (unsigned k = 0; k < kLanes; ++k) sum += counts[b * kLanes + (k + lane) % kLanes];
    if (sum > 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + kTile - 1) / kTile;
  const std::size_t most = std::size_t{multiprocessors()} * 6;
  return {static_cast<unsigned>(tiles < most ? tiles : most), kLanes};
}
