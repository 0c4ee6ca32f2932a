// SPDX-License-Identifier: MIT
// Persistent blocks draw chunks of the input from a ticket counter in global memory; the next ticket is drawn
// while this chunk is counted. Loads are `ushort4`. The block that ends last sets the counters back, so that
// the next launch finds zeros.
#include "lab.hpp"

constexpr std::size_t octets_per_chunk = 2048;  // of 8 bytes

__device__ unsigned int next_ticket = 0;
__device__ unsigned int blocks_done = 0;

template <class Binning>
__device__ __forceinline__ void count_pair(unsigned int* counts, unsigned short pair) {
  const int first = Binning::bin_of(static_cast<unsigned char>(pair & 0xff));
  const int second = Binning::bin_of(static_cast<unsigned char>(pair >> 8));
  if (first >= 0) atomicAdd(&counts[first], first == second ? 2u : 1u);
  if (second >= 0 && second != first) atomicAdd(&counts[second], 1u);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ unsigned int drawn[2];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  if (threadIdx.x == 0) drawn[0] = atomicAdd(&next_ticket, 1u);
  __syncthreads();

  const std::size_t to_aligned = (8 - reinterpret_cast<std::uintptr_t>(data) % 8) % 8;
  const std::size_t head = to_aligned < length ? to_aligned : length;
  const std::size_t octets = (length - head) / 8, tail = head + octets * 8;
  const ushort4* const octet = reinterpret_cast<const ushort4*>(data + head);

  for (unsigned turn = 0;; turn ^= 1) {
    const std::size_t begin = drawn[turn] * octets_per_chunk;
    if (begin >= octets) break;
    if (threadIdx.x == 0) drawn[turn ^ 1] = atomicAdd(&next_ticket, 1u);
    const std::size_t end = begin + octets_per_chunk < octets ? begin + octets_per_chunk : octets;
#pragma unroll 2
    for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
      const ushort4 four = octet[i];
      count_pair<Binning>(counts, four.x);
      count_pair<Binning>(counts, four.y);
      count_pair<Binning>(counts, four.z);
      count_pair<Binning>(counts, four.w);
    }
    __syncthreads();
  }
  if (blockIdx.x == 0) {  // at most 7 bytes at either end
    for (std::size_t k = threadIdx.x; k < head + (length - tail); k += blockDim.x) {
      const int bin = Binning::bin_of(data[k < head ? k : tail + (k - head)]);
      if (bin >= 0) atomicAdd(&counts[bin], 1u);
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1) atomicExch(&next_ticket, 0u);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  constexpr std::size_t chunk = octets_per_chunk * 8;
  const std::size_t chunks = (length + chunk - 1) / chunk;
  const std::size_t most = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(chunks < most ? chunks : most), block};
}
