// SPDX-License-Identifier: MIT
// Sixteen bytes a load (uint4), one table of shared counters a block; scalar loads when the input is not aligned.
#include "lab.hpp"

template <class Binning>
__device__ __forceinline__ void count_word(unsigned int word, unsigned int* table) {
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(word >> shift));
    if (bin >= 0) atomicAdd(table + bin, 1u);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int table[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) table[b] = 0;
  __syncthreads();

  const std::size_t tid = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t scalar_begin = 0;

  if ((reinterpret_cast<std::uintptr_t>(data) & 15u) == 0) {
    const uint4* quads = reinterpret_cast<const uint4*>(data);
    const std::size_t quad_count = length / sizeof(uint4);
    for (std::size_t q = tid; q < quad_count; q += stride) {
      const uint4 v = quads[q];
      count_word<Binning>(v.x, table);
      count_word<Binning>(v.y, table);
      count_word<Binning>(v.z, table);
      count_word<Binning>(v.w, table);
    }
    scalar_begin = quad_count * sizeof(uint4);
  }
  for (std::size_t i = scalar_begin + tid; i < length; i += stride) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(table + bin, 1u);
  }

  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (table[b] != 0) atomicAdd(histo + b, table[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t wanted = (length + block * 16 - 1) / (block * 16);
  const std::size_t limit = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(wanted < limit ? wanted : limit), block};
}
