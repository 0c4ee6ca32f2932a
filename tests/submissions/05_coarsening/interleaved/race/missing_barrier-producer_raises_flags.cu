// SPDX-License-Identifier: MIT
// Wrong: one lane raises the flag of a stage for bytes that other lanes have stored, without a __syncwarp in front.
#include <cuda/atomic>

#include "lab.hpp"

constexpr unsigned consumers = 64, stage = 64, stages = 3;
using Word = cuda::atomic<unsigned int, cuda::thread_scope_block>;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ unsigned char bytes[stages][stage];
  __shared__ Word full[stages], emptied[stages];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  if (threadIdx.x < stages) {
    full[threadIdx.x].store(0, cuda::memory_order_relaxed);
    emptied[threadIdx.x].store(0, cuda::memory_order_relaxed);
  }
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  unsigned round = 0;
  for (std::size_t first = std::size_t{blockIdx.x} * stage; first < length; first += std::size_t{gridDim.x} * stage, ++round) {
    const unsigned slot = round % stages, use = round / stages;
    if (threadIdx.x >= consumers) {
      if (lane == 0) {
        while (emptied[slot].load(cuda::memory_order_acquire) != use * (consumers / 32)) __nanosleep(20);
      }
      __syncwarp();
      for (unsigned k = lane; k < stage; k += 32) {
        if (first + k < length) bytes[slot][k] = data[first + k];
      }
      if (lane == 0) full[slot].store(use + 1, cuda::memory_order_release);
    } else {
      if (lane == 0) {
        while (full[slot].load(cuda::memory_order_acquire) != use + 1) __nanosleep(20);
      }
      __syncwarp();
      const int bin = first + threadIdx.x < length ? Binning::bin_of(bytes[slot][threadIdx.x]) : -1;
      if (bin >= 0) atomicAdd(&counts[bin], 1u);
      __syncwarp();
      if (lane == 0) emptied[slot].fetch_add(1, cuda::memory_order_release);
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + stage * 16 - 1) / (stage * 16);
  return {static_cast<unsigned>(enough < 64 ? enough : 64), consumers + 32};
}
