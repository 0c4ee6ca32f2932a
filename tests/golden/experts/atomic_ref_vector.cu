// SPDX-License-Identifier: MIT
// uint4 loads, a small counter class over cuda::atomic_ref, tables for even and odd warps.
#include <cuda/atomic>

#include "lab.hpp"

class Counter {
 public:
  __device__ explicit Counter(unsigned int& word) : ref_(word) {}
  __device__ void operator+=(unsigned int n) { ref_.fetch_add(n, cuda::std::memory_order_relaxed); }

 private:
  cuda::atomic_ref<unsigned int, cuda::thread_scope_block> ref_;
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int even[Binning::bins], odd[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) even[b] = odd[b] = 0;
  __syncthreads();

  unsigned int* table = threadIdx.x / 32 % 2 == 0 ? even : odd;
  const auto count = [table](unsigned int byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    if (bin >= 0) Counter(table[bin]) += 1;
  };

  const std::size_t tid = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = reinterpret_cast<std::uintptr_t>(data) % 16 == 0 ? length / 16 : 0;
  for (std::size_t v = tid; v < vectors; v += stride) {
    const uint4 bytes = reinterpret_cast<const uint4*>(data)[v];
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) {
      count(bytes.x >> shift);
      count(bytes.y >> shift);
      count(bytes.z >> shift);
      count(bytes.w >> shift);
    }
  }
  for (std::size_t i = vectors * 16 + tid; i < length; i += stride) count(data[i]);
  __syncthreads();

  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    const unsigned int n = even[b] + odd[b];
    if (n > 0) atomicAdd(&histo[b], n);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + block * 16 - 1) / (block * 16);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
