// SPDX-License-Identifier: MIT
// 32 copies of the histogram per block, interleaved so that lane l of every warp always counts in bank l: no
// two lanes ever meet in a bank. Dynamic shared memory, two loads of 16 bytes under way, and a redux per bin
// for the commit.
#include "lab.hpp"

constexpr unsigned lanes = 32;
constexpr std::size_t shared_bytes = 256 * lanes * sizeof(unsigned int);  // enough for any binning

template <class Binning>
__device__ __forceinline__ void count_word(unsigned int* mine, unsigned int word) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(word >> (8 * k)));
    if (bin >= 0) atomicAdd(mine + bin * lanes, 1u);
  }
}

template <class Binning>
__device__ __forceinline__ void count_vector(unsigned int* mine, uint4 vector) {
  count_word<Binning>(mine, vector.x);
  count_word<Binning>(mine, vector.y);
  count_word<Binning>(mine, vector.z);
  count_word<Binning>(mine, vector.w);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  extern __shared__ unsigned int replicas[];  // [bin][lane]
  const unsigned lane = threadIdx.x % lanes;
  unsigned int* const mine = replicas + lane;
  for (unsigned i = threadIdx.x; i < Binning::bins * lanes; i += blockDim.x) replicas[i] = 0;
  __syncthreads();

  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  std::size_t head = -reinterpret_cast<std::uintptr_t>(data) & 15;
  if (head > length) head = length;
  const uint4* const vectors = reinterpret_cast<const uint4*>(data + head);
  const std::size_t count = (length - head) >> 4;

  std::size_t i = thread;
  for (; i + threads < count; i += 2 * threads) {
    const uint4 first = __ldcs(vectors + i), second = __ldcs(vectors + i + threads);
    count_vector<Binning>(mine, first);
    count_vector<Binning>(mine, second);
  }
  if (i < count) count_vector<Binning>(mine, __ldcs(vectors + i));

  for (std::size_t k = thread; k < head; k += threads) {
    const int bin = Binning::bin_of(data[k]);
    if (bin >= 0) atomicAdd(mine + bin * lanes, 1u);
  }
  for (std::size_t k = head + count * 16 + thread; k < length; k += threads) {
    const int bin = Binning::bin_of(data[k]);
    if (bin >= 0) atomicAdd(mine + bin * lanes, 1u);
  }
  __syncthreads();

  for (int bin = static_cast<int>(threadIdx.x / lanes); bin < Binning::bins;
       bin += static_cast<int>(blockDim.x / lanes)) {
    const unsigned int sum = __reduce_add_sync(0xffffffffu, mine[bin * lanes]);
    if (lane == 0 && sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 1024;
  const std::size_t enough = length / (block * 32) + 1;
  const std::size_t resident =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block, shared_bytes);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block, shared_bytes};
}
