// SPDX-License-Identifier: MIT
// A table for each of eight warps. To add them up, a warp takes four bins at a time: lane l reads bin l / 8
// of table l % 8, three shuffles are a tree over the tables. The tables lie 4 words (mod 32) apart, so that
// no banks meet.
#include "lab.hpp"

constexpr unsigned kWarps = 8, kThreads = kWarps * 32;
constexpr unsigned kAll = 0xffffffffu;

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  constexpr unsigned bins = Binning::bins;
  constexpr unsigned pitch = (bins + 31) / 32 * 32 + 4;
  __shared__ unsigned int tables[kWarps * pitch];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned int* const mine = tables + warp * pitch;
  for (unsigned b = lane; b < bins; b += 32) mine[b] = 0;
  __syncwarp();

  const auto count = [mine](unsigned char byte) {
    const int bin = Binning::bin_of(byte);
    if (bin >= 0) atomicAdd(&mine[bin], 1u);
  };
  const std::size_t thread = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * kThreads;
  const uint4* const in = reinterpret_cast<const uint4*>(data);
  for (std::size_t i = thread; i < length / 16; i += threads) {
    const uint4 v = in[i];
#pragma unroll
    for (int k = 0; k < 32; k += 8) {
      count(static_cast<unsigned char>(v.x >> k));
      count(static_cast<unsigned char>(v.y >> k));
      count(static_cast<unsigned char>(v.z >> k));
      count(static_cast<unsigned char>(v.w >> k));
    }
  }
  const std::size_t rest = length / 16 * 16 + thread;
  if (rest < length) count(data[rest]);
  __syncthreads();

  const unsigned table = lane % kWarps;
  for (unsigned base = warp * 4; base < bins; base += kWarps * 4) {
    const unsigned bin = base + lane / kWarps;
    unsigned int sum = bin < bins ? tables[table * pitch + bin] : 0u;
    sum += __shfl_down_sync(kAll, sum, 4, kWarps);
    sum += __shfl_down_sync(kAll, sum, 2, kWarps);
    sum += __shfl_down_sync(kAll, sum, 1, kWarps);
    if (table == 0 && sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * 48;
  const std::size_t need = (length + tile - 1) / tile;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(need < room ? need : room), kThreads};
}
