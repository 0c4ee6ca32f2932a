// SPDX-License-Identifier: MIT
// Four bins in a word: __vcmpeq4 against each bin, __dp4a adds the hits; for many bins __byte_perm and shared atomics.
#include "lab.hpp"

template <class Binning>
__device__ unsigned int bins_of_four(unsigned int word) {
  unsigned int packed = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(__byte_perm(word, 0, 0x4440 + k)));
    packed |= static_cast<unsigned int>(bin & 0xff) << (8 * k);  // not counted: 0xff
  }
  return packed;
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr bool few = Binning::bins <= 32;
  __shared__ unsigned int counts[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();

  const std::size_t tid = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 4 : 0;
  const unsigned int* in = reinterpret_cast<const unsigned int*>(data);

  if constexpr (few) {
    unsigned int local[Binning::bins] = {};
    for (std::size_t w = tid; w < words; w += stride) {
      const unsigned int packed = bins_of_four<Binning>(in[w]);
#pragma unroll
      for (int b = 0; b < Binning::bins; ++b) {
        const unsigned int hits = __vcmpeq4(packed, b * 0x01010101u) & 0x01010101u;
        local[b] = __dp4a(hits, 0x01010101u, local[b]);
      }
    }
#pragma unroll
    for (int b = 0; b < Binning::bins; ++b)
      if (local[b] > 0) atomicAdd(&counts[b], local[b]);
  } else {
    for (std::size_t w = tid; w < words; w += stride) {
      const unsigned int packed = bins_of_four<Binning>(in[w]);
      atomicAdd(&counts[packed & 0xff], 1u);
      atomicAdd(&counts[__byte_perm(packed, 0, 0x4441)], 1u);
      atomicAdd(&counts[__byte_perm(packed, 0, 0x4442)], 1u);
      atomicAdd(&counts[packed >> 24], 1u);
    }
  }
  for (std::size_t i = words * 4 + tid; i < length; i += stride) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }

  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (counts[b]) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + block * 16 - 1) / (block * 16);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
