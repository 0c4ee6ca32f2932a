// SPDX-License-Identifier: MIT
// Four bytes compared at once in plain arithmetic: a word's bytes equal to its first are counted by one __popc.
#include "lab.hpp"

// 0x80 in each byte where a and b agree.
__device__ __forceinline__ unsigned int equal_bytes(unsigned int a, unsigned int b) {
  const unsigned int differ = a ^ b;
  return ~(((differ & 0x7f7f7f7fu) + 0x7f7f7f7fu) | differ | 0x7f7f7f7fu);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int table[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) table[b] = 0;
  __syncthreads();

  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 4 : 0;
  const unsigned int* body = reinterpret_cast<const unsigned int*>(data);
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t tid = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;

  for (std::size_t w = tid; w < words; w += stride) {
    const unsigned int word = body[w];
    unsigned int open = 0x80808080u;
    do {
      const unsigned int byte = (word >> (__ffs(open) - 8)) & 0xffu;
      const unsigned int equal = equal_bytes(word, __byte_perm(byte, 0, 0)) & open;
      const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
      if (bin >= 0) atomicAdd(table + bin, static_cast<unsigned int>(__popc(equal)));
      open ^= equal;
    } while (open != 0);
  }
  for (std::size_t i = 4 * words + tid; i < length; i += stride) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(table + bin, 1u);
  }

  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (table[b]) atomicAdd(histo + b, table[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  const std::size_t enough = (length + block * 16 - 1) / (block * 16);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
