// SPDX-License-Identifier: MIT
// A block looks at 256 bytes of its chunk of 64 KiB first: how many different bins do its warps hold? If few,
// lanes with the same bin let one of them add for all; if many, each adds for itself to one of two tables.
#include "lab.hpp"

constexpr unsigned block_size = 256, chunk_bytes = 64 * 1024;

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[2][Binning::bins];
  for (unsigned k = threadIdx.x; k < 2 * Binning::bins; k += block_size) counts[0][k] = 0;
  const unsigned lane = threadIdx.x % 32;
  unsigned int* const mine = counts[lane % 2];

  const std::size_t begin = std::size_t{blockIdx.x} * chunk_bytes;
  const std::size_t here = length - begin < chunk_bytes ? length - begin : chunk_bytes;
  const unsigned char* const chunk = data + begin;
  const auto leads = [&](unsigned lanes) { return __ffs(lanes) - 1 == static_cast<int>(lane); };
  // Spread over the chunk, in case its beginning is not like the rest.
  const std::size_t sampled = here / block_size * threadIdx.x;
  const int sample = sampled < here ? Binning::bin_of(chunk[sampled]) : -1;
  const unsigned equals = __match_any_sync(0xffffffffu, sample);
  const bool contended = __syncthreads_count(sample >= 0 && leads(equals)) < static_cast<int>(block_size / 5);

  const bool aligned = reinterpret_cast<std::uintptr_t>(chunk) % 4 == 0;
  const unsigned words = aligned ? static_cast<unsigned>(here / 4) : 0;
  const unsigned int* const from = reinterpret_cast<const unsigned int*>(chunk);
  if (contended) {
    for (unsigned base = 0; base < words; base += block_size) {
      const unsigned i = base + threadIdx.x;
      const unsigned int word = i < words ? from[i] : 0;
#pragma unroll
      for (unsigned k = 0; k < 4; ++k) {
        const int bin = i < words ? Binning::bin_of(static_cast<unsigned char>(word >> 8 * k)) : -1;
        const unsigned group = __match_any_sync(0xffffffffu, bin);
        if (bin >= 0 && leads(group)) atomicAdd(counts[0] + bin, static_cast<unsigned int>(__popc(group)));
      }
    }
  } else {
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < words; i += block_size) {
      const unsigned int word = from[i];
#pragma unroll
      for (unsigned k = 0; k < 4; ++k) {
        const int bin = Binning::bin_of(static_cast<unsigned char>(word >> 8 * k));
        if (bin >= 0) atomicAdd(mine + bin, 1u);
      }
    }
  }
  for (std::size_t at = std::size_t{words} * 4 + threadIdx.x; at < here; at += block_size) {
    const int bin = Binning::bin_of(chunk[at]);
    if (bin >= 0) atomicAdd(mine + bin, 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    const unsigned int sum = counts[0][bin] + counts[1][bin];
    if (sum > 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + chunk_bytes - 1) / chunk_bytes), block_size};
}
