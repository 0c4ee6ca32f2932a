// SPDX-License-Identifier: MIT
// A thread walks along its own piece with a pointer, a word at a time.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int table[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) table[b] = 0;
  __syncthreads();
  constexpr std::size_t piece = 64;
  const std::size_t begin = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * piece;
  if (begin < length) {
    const unsigned char* p = data + begin;
    const unsigned char* const end = data + (begin + piece < length ? begin + piece : length);
    while (end - p >= 4) {
      const unsigned w = *reinterpret_cast<const unsigned*>(p);
      for (int shift = 0; shift < 32; shift += 8) {
        const int bin = Binning::bin_of(w >> shift & 0xff);
        if (bin >= 0) atomicAdd(&table[bin], 1u);
      }
      p += 4;
    }
    while (p != end) {
      const int bin = Binning::bin_of(*p++);
      if (bin >= 0) atomicAdd(&table[bin], 1u);
    }
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (table[b]) atomicAdd(&histo[b], table[b]);
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + 64 * 128 - 1) / (64 * 128)), 128};
}
