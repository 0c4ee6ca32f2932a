// SPDX-License-Identifier: MIT
// Warp-aggregated, a byte at a time: a ballot before each turn tells which lanes come to it, these match
// their bins, and the lowest lane of those with the same bin adds for all. Twelve warps, one table.
#include "lab.hpp"

constexpr unsigned block_threads = 384;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int table[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) table[b] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x & 31;
  const std::size_t stride = std::size_t{blockDim.x} * gridDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  unsigned mask = __ballot_sync(0xffffffff, i < length);
  while (i < length) {
    const int bin = Binning::bin_of(data[i]);
    const unsigned peers = __match_any_sync(mask, bin);
    const unsigned leader = __ffs(peers) - 1;
    if (lane == leader && bin >= 0) atomicAdd(&table[bin], static_cast<unsigned>(__popc(peers)));
    i += stride;
    mask = __ballot_sync(mask, i < length);
  }
  __syncthreads();

  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    if (table[b] != 0) atomicAdd(&histo[b], table[b]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t full = (length + block_threads - 1) / block_threads;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_threads);
  return {static_cast<unsigned>(full < most ? full : most), block_threads};
}
