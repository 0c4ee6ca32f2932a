// SPDX-License-Identifier: MIT
// A warp loads words, and matches the lanes four times, once for each byte of them.
#include "lab.hpp"

template <class Binning>
__device__ void count_together(int bin, unsigned* table) {
  const unsigned same = __match_any_sync(~0u, bin);
  const unsigned lane = threadIdx.x % 32;
  if (bin >= 0 && lane == 31 - static_cast<unsigned>(__clz(same))) atomicAdd(&table[bin], __popc(same));
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % 4 == 0;
  const std::size_t words = aligned ? length / 128 * 32 : 0;  // whole warps
  const unsigned* const all = reinterpret_cast<const unsigned*>(data);
  for (std::size_t base = first; base < words; base += threads) {
    const unsigned word = all[base + lane];
    for (int shift = 0; shift < 32; shift += 8)
      count_together<Binning>(Binning::bin_of(static_cast<unsigned char>(word >> shift)), table);
  }
  for (std::size_t i = 4 * words + first + lane; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 8, 256}; }
