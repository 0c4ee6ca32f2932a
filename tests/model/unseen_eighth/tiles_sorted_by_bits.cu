// SPDX-License-Identifier: MIT
// A block sorts each tile of 512 keys before it counts: a radix sort of one bit a pass, whose places come
// from ballots and a scan over the warps. Of a sorted tile only the two ends of each run change a counter:
// the first subtracts its place, the last adds the place behind it.
#include "lab.hpp"

constexpr unsigned tile = 512, warps = tile / 32;
constexpr unsigned full_mask = 0xffffffffu;

// The number of bits that tell all bins apart, and the key behind the last bin, of bytes that are not
// counted.
__host__ __device__ constexpr int bits_for(int values) {
  return values <= 1 ? 0 : 1 + bits_for((values + 1) / 2);
}

// The place of this thread's key if those with `flag` come behind the others, each in its order.
__device__ unsigned place_in_split(bool flag, unsigned* zeros_of_warp) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned zeros = ~__ballot_sync(full_mask, flag);
  if (lane == 0) zeros_of_warp[warp] = __popc(zeros);
  __syncthreads();
  if (warp == 0) {
    const unsigned own = lane < warps ? zeros_of_warp[lane] : 0;
    unsigned sum = own;
#pragma unroll
    for (unsigned offset = 1; offset < warps; offset *= 2) {
      const unsigned before = __shfl_up_sync(full_mask, sum, offset);
      if (lane >= offset) sum += before;
    }
    if (lane < warps) zeros_of_warp[lane] = sum - own;
    if (lane == warps - 1) zeros_of_warp[warps] = sum;
  }
  __syncthreads();
  const unsigned zeros_before = zeros_of_warp[warp] + __popc(zeros & ((1u << lane) - 1));
  return flag ? zeros_of_warp[warps] + threadIdx.x - zeros_before : zeros_before;
}

template <class Binning>
__global__ void __launch_bounds__(tile)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ unsigned short keys[tile + 2];  // with one before and one behind that no key equals
  __shared__ unsigned int zeros_of_warp[warps + 1];
  constexpr unsigned uncounted = Binning::bins, border = 0xffff;
  constexpr int passes = bits_for(Binning::bins + 1);
  if (threadIdx.x < 2) keys[threadIdx.x * (tile + 1)] = border;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += tile) counts[bin] = 0;

  const std::size_t step = std::size_t{gridDim.x} * tile;
  for (std::size_t base = std::size_t{blockIdx.x} * tile; base < length; base += step) {
    const std::size_t i = base + threadIdx.x;
    const int bin = i < length ? Binning::bin_of(data[i]) : -1;
    unsigned key = bin < 0 ? uncounted : static_cast<unsigned>(bin);
    for (int pass = 0; pass < passes; ++pass) {
      const unsigned place = place_in_split((key >> pass) & 1, zeros_of_warp);
      keys[1 + place] = static_cast<unsigned short>(key);
      __syncthreads();
      key = keys[1 + threadIdx.x];
    }
    const bool first = keys[threadIdx.x] != key, last = keys[threadIdx.x + 2] != key;
    if (key != uncounted) {
      if (first && last) {
        atomicAdd(&counts[key], 1u);
      } else if (first) {
        atomicSub(&counts[key], threadIdx.x);
      } else if (last) {
        atomicAdd(&counts[key], threadIdx.x + 1);
      }
    }
    __syncthreads();
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += tile) {
    if (counts[bin] != 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tile - 1) / tile;
  const std::size_t most = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, tile);
  return {static_cast<unsigned>(tiles < most ? tiles : most), tile};
}
