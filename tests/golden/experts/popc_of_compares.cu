// SPDX-License-Identifier: MIT
// Repeated bytes of a word are counted together: __vcmpeq4 with the first byte left, __popc / 8 for the atomic's sum.
#include "lab.hpp"

template <class Binning>
__device__ void count_distinct(unsigned int word, unsigned int* table) {
  unsigned int left = 0xffffffffu;  // 0xff for each byte still to count
  while (left != 0) {
    const int at = (__ffs(left) - 1) & ~7;
    const unsigned int byte = (word >> at) & 0xffu;
    const unsigned int equal = __vcmpeq4(word, byte * 0x01010101u);
    const int bin = Binning::bin_of(byte);
    if (bin >= 0) atomicAdd(table + bin, __popc(equal) / 8);
    left &= ~equal;
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int table[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) table[b] = 0;
  __syncthreads();

  const std::size_t lead = (4 - reinterpret_cast<std::uintptr_t>(data) % 4) % 4;
  const std::size_t head = lead < length ? lead : length;
  const std::size_t words = (length - head) / 4;
  const unsigned int* body = reinterpret_cast<const unsigned int*>(data + head);

  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t tid = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t w = tid; w < words; w += stride) count_distinct<Binning>(body[w], table);

  const std::size_t tail = head + 4 * words;
  const std::size_t odd = head + (length - tail);  // at most 6 bytes in all
  if (tid < odd) {
    const int bin = Binning::bin_of(tid < head ? data[tid] : data[tail + tid - head]);
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
