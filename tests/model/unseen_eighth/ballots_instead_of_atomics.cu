// SPDX-License-Identifier: MIT
// A warp takes 32 bytes and votes on each bit of their bins. Lane l derives from the votes which lanes have a
// bin that ends in the bits of l, and counts these by population counts: no atomic before the commit, and the
// same work for any input.
#include "lab.hpp"

constexpr unsigned all_lanes = 0xffffffffu;
constexpr unsigned warps_of_block = 8;
constexpr unsigned bytes_under_way = 4;

template <class Binning>
struct lane_counters {
  static constexpr int rows = (Binning::bins + 31) / 32;
  unsigned int of_row[rows];

  __device__ __forceinline__ void meet(int bin, unsigned lane) {
    unsigned mine = __ballot_sync(all_lanes, bin >= 0);
#pragma unroll
    for (int bit = 0; bit < 5; ++bit) {
      const unsigned vote = __ballot_sync(all_lanes, (bin >> bit) & 1);
      mine &= (lane >> bit) & 1 ? vote : ~vote;
    }
    if constexpr (rows == 1) {
      of_row[0] += __popc(mine);
    } else {
      unsigned high[3];
#pragma unroll
      for (int bit = 0; bit < 3; ++bit) high[bit] = __ballot_sync(all_lanes, (bin >> (5 + bit)) & 1);
#pragma unroll
      for (int row = 0; row < rows; ++row) {
        unsigned here = mine;
#pragma unroll
        for (int bit = 0; bit < 3; ++bit) here &= (row >> bit) & 1 ? high[bit] : ~high[bit];
        of_row[row] += __popc(here);
      }
    }
  }
};

template <class Binning>
__global__ void __launch_bounds__(warps_of_block * 32)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  using counters = lane_counters<Binning>;
  __shared__ unsigned int of_warps[warps_of_block][counters::rows * 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  counters own;
#pragma unroll
  for (int row = 0; row < counters::rows; ++row) own.of_row[row] = 0;

  constexpr std::size_t stride = 32 * bytes_under_way;
  const std::size_t warps = std::size_t{gridDim.x} * warps_of_block;
  for (std::size_t base = (std::size_t{blockIdx.x} * warps_of_block + warp) * stride; base < length;
       base += warps * stride) {
    int bins[bytes_under_way];
#pragma unroll
    for (unsigned k = 0; k < bytes_under_way; ++k) {
      const std::size_t i = base + k * 32 + lane;
      bins[k] = i < length ? Binning::bin_of(__ldg(data + i)) : -1;
    }
#pragma unroll
    for (unsigned k = 0; k < bytes_under_way; ++k) own.meet(bins[k], lane);
  }
#pragma unroll
  for (int row = 0; row < counters::rows; ++row) of_warps[warp][row * 32 + lane] = own.of_row[row];
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned w = 0; w < warps_of_block; ++w) sum += of_warps[w][bin];
    if (sum > 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = warps_of_block * 32 * bytes_under_way * 4;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most =
      2 * std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, warps_of_block * 32);
  return {static_cast<unsigned>(enough < most ? enough : most), warps_of_block * 32};
}
