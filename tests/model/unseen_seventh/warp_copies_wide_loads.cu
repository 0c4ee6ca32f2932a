// SPDX-License-Identifier: MIT
// The classic of the SDK: each of the six warps of a block has a copy of the histogram in shared memory, and
// the threads load 16 bytes at a time from the first aligned address on. At the end the copies are added up
// and committed.
#include "lab.hpp"

constexpr unsigned warps_of_block = 6;
constexpr unsigned threads_of_block = warps_of_block * 32;

template <class Binning>
__device__ __forceinline__ void add_byte(unsigned int* own, unsigned int byte) {
  const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
  if (bin >= 0) atomicAdd(own + bin, 1u);
}

template <class Binning>
__device__ __forceinline__ void add_word(unsigned int* own, unsigned int word) {
  add_byte<Binning>(own, word & 0xff);
  add_byte<Binning>(own, (word >> 8) & 0xff);
  add_byte<Binning>(own, (word >> 16) & 0xff);
  add_byte<Binning>(own, word >> 24);
}

template <class Binning>
__global__ void __launch_bounds__(threads_of_block)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int copies[warps_of_block][Binning::bins];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  unsigned int* const own = copies[warp];
  for (unsigned bin = lane; bin < Binning::bins; bin += 32) own[bin] = 0;
  __syncwarp();

  std::size_t head = (16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16;
  if (head > length) head = length;
  const uint4* const vectors = reinterpret_cast<const uint4*>(data + head);
  const std::size_t count = (length - head) / 16;
  const std::size_t tail = head + count * 16;

  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  if (thread < head) add_byte<Binning>(own, data[thread]);
  if (thread < length - tail) add_byte<Binning>(own, data[tail + thread]);
  for (std::size_t i = thread; i < count; i += threads) {
    const uint4 vector = vectors[i];
    add_word<Binning>(own, vector.x);
    add_word<Binning>(own, vector.y);
    add_word<Binning>(own, vector.z);
    add_word<Binning>(own, vector.w);
  }
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned w = 0; w < warps_of_block; ++w) sum += copies[w][bin];
    if (sum != 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t vectors = length / 16 + 1;
  const std::size_t enough = (vectors + threads_of_block - 1) / threads_of_block;
  const std::size_t resident =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, threads_of_block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), threads_of_block};
}
