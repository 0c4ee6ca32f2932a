// SPDX-License-Identifier: MIT
// Sixteen bytes a load. The head in front of the first aligned vector and the tail behind the last one go
// byte by byte, by the first threads of the grid. Two vectors are under way before either is counted.
#include "lab.hpp"

template <class Binning>
struct block_counter {
  unsigned int* counts;
  __device__ __forceinline__ void byte(unsigned char value) const {
    const int bin = Binning::bin_of(value);
    if (bin >= 0) atomicAdd(counts + bin, 1u);
  }
  __device__ __forceinline__ void word(unsigned int value) const {
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) byte(static_cast<unsigned char>(value >> shift));
  }
  __device__ __forceinline__ void vector(uint4 value) const {
    word(value.x);
    word(value.y);
    word(value.z);
    word(value.w);
  }
};

template <class Binning>
__global__ void __launch_bounds__(256)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const block_counter<Binning> count{counts};
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t skew = (16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t vectors = (length - head) / 16;
  const uint4* const body = reinterpret_cast<const uint4*>(data + head);

  std::size_t i = thread;
  for (; i + threads < vectors; i += 2 * threads) {
    const uint4 first = __ldg(body + i);
    const uint4 second = __ldg(body + i + threads);
    count.vector(first);
    count.vector(second);
  }
  if (i < vectors) count.vector(__ldg(body + i));
  if (thread < head) count.byte(data[thread]);
  const std::size_t tail = head + vectors * 16 + thread;
  if (tail < length) count.byte(data[tail]);

  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(histo + bin, counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 256 * 32 - 1) / (256 * 32);
  const std::size_t most = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, 256);
  return {static_cast<unsigned>(enough < most ? enough : most), 256};
}
