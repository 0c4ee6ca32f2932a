// SPDX-License-Identifier: MIT
// Four bins are counted in registers of each thread, all others in shared memory: a short branch decides.
// Half words of two bytes are loaded, four at a time.
#include "lab.hpp"

constexpr unsigned block_size = 128, of_thread = 4;
constexpr int in_registers = 4;

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) counts[bin] = 0;
  __syncthreads();

  unsigned int own[in_registers] = {};
  const auto count = [&](unsigned byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    if (bin < 0) return;
    if (bin < in_registers) {
#pragma unroll
      for (int k = 0; k < in_registers; ++k) own[k] += bin == k;
    } else {
      atomicAdd(&counts[bin], 1u);
    }
  };

  const std::size_t head = length > 0 ? reinterpret_cast<std::uintptr_t>(data) & 1 : 0;
  const std::size_t pairs = (length - head) / 2;
  const unsigned short* const body = reinterpret_cast<const unsigned short*>(data + head);
  const std::size_t of_block = std::size_t{block_size} * of_thread;
  for (std::size_t base = blockIdx.x * of_block; base < pairs; base += gridDim.x * of_block) {
    unsigned short batch[of_thread];
    bool there[of_thread];
#pragma unroll
    for (unsigned k = 0; k < of_thread; ++k) {
      const std::size_t at = base + k * block_size + threadIdx.x;
      there[k] = at < pairs;
      batch[k] = there[k] ? body[at] : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < of_thread; ++k) {
      if (!there[k]) break;
      count(batch[k] & 0xffu);
      count(batch[k] >> 8);
    }
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    if (head > 0) count(data[0]);
    if ((length - head) % 2 != 0) count(data[length - 1]);
  }

#pragma unroll
  for (int k = 0; k < in_registers; ++k) {
    const unsigned int sum = __reduce_add_sync(0xffffffffu, own[k]);
    if (threadIdx.x % 32 == 0 && sum > 0) atomicAdd(&counts[k], sum);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = block_size * of_thread * 2 * 3;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most = 8 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
