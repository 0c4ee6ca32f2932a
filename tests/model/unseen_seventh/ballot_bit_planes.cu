// SPDX-License-Identifier: MIT
// Counters in registers: lane l of a warp owns the bins l, l + 32, l + 64, ... A ballot for each bit of the
// bin tells every lane which of the 32 bytes are its own, and popc counts them. Shared memory only adds up
// the warps at the end.
#include "lab.hpp"

constexpr unsigned full_warp = 0xffffffffu;
constexpr unsigned block_size = 128;

template <class Binning>
struct LaneCounters {
  static constexpr int groups = (Binning::bins + 31) / 32;
  static_assert(groups <= 8, "three bits choose the group");
  unsigned int own[groups] = {};

  // All 32 lanes call it, each with its bin or a negative number.
  __device__ __forceinline__ void add(int bin, unsigned lane) {
    unsigned mine = __ballot_sync(full_warp, bin >= 0);
    if (mine == 0) return;
#pragma unroll
    for (int bit = 0; bit < 5; ++bit) {
      const unsigned plane = __ballot_sync(full_warp, (bin >> bit) & 1);
      mine &= (lane >> bit) & 1 ? plane : ~plane;
    }
    if constexpr (groups == 1) {
      own[0] += __popc(mine);
    } else {
      const unsigned p5 = __ballot_sync(full_warp, bin & 32), p6 = __ballot_sync(full_warp, bin & 64),
                     p7 = __ballot_sync(full_warp, bin & 128);
#pragma unroll
      for (int g = 0; g < groups; ++g) {
        own[g] += __popc(mine & (g & 1 ? p5 : ~p5) & (g & 2 ? p6 : ~p6) & (g & 4 ? p7 : ~p7));
      }
    }
  }
};

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int groups = LaneCounters<Binning>::groups;
  __shared__ unsigned int of_warps[block_size / 32][groups * 32];
  const unsigned lane = threadIdx.x % 32, warp_of_block = threadIdx.x / 32;
  const std::size_t warp = std::size_t{blockIdx.x} * (block_size / 32) + warp_of_block;
  const std::size_t warps = std::size_t{gridDim.x} * (block_size / 32);
  LaneCounters<Binning> counters;

  std::size_t head = (4 - reinterpret_cast<std::uintptr_t>(data) % 4) % 4;
  if (head > length) head = length;
  const unsigned int* const words = reinterpret_cast<const unsigned int*>(data + head);
  const std::size_t count = (length - head) / 4, whole = count / 32 * 32;
  for (std::size_t base = warp * 32; base < whole; base += warps * 32) {
    const unsigned int word = words[base + lane];
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) {
      counters.add(Binning::bin_of(static_cast<unsigned char>(word >> shift)), lane);
    }
  }
  // What is left is the last warp's: up to three bytes before, and up to 127 behind.
  if (warp == warps - 1) {
    counters.add(lane < head ? Binning::bin_of(data[lane]) : -1, lane);
    for (std::size_t base = head + whole * 4; base < length; base += 32) {
      counters.add(base + lane < length ? Binning::bin_of(data[base + lane]) : -1, lane);
    }
  }

#pragma unroll
  for (int g = 0; g < groups; ++g) of_warps[warp_of_block][g * 32 + lane] = counters.own[g];
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    unsigned int sum = 0;
    for (unsigned w = 0; w < block_size / 32; ++w) sum += of_warps[w][bin];
    if (sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 16 - 1) / (block_size * 16);
  const std::size_t resident =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size);
  const std::size_t blocks = enough < resident ? enough : resident;
  return {static_cast<unsigned>(blocks > 0 ? blocks : 1), block_size};
}
