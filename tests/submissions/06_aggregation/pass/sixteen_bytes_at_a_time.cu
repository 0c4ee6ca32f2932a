// SPDX-License-Identifier: MIT
// Right: each thread loads several vectors of 16 bytes, and adds up the runs within each. A run ends with its
// vector, so that 16 equal bytes cost one atomic.
#include "lab.hpp"

template <class Binning>
__device__ void count_runs(const unsigned char* bytes, unsigned number, unsigned int* counts) {
  int current = -1;
  unsigned int run = 0;
  for (unsigned i = 0; i < number; ++i) {
    const int bin = Binning::bin_of(bytes[i]);
    if (bin != current && run > 0) {
      atomicAdd(&counts[current], run);
      run = 0;
    }
    current = bin;
    if (bin >= 0) ++run;
  }
  if (run > 0) atomicAdd(&counts[current], run);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  // Before the first aligned vector, and behind the last one.
  std::size_t head = (16 - reinterpret_cast<std::size_t>(data) % 16) % 16;
  if (head > length) head = length;
  const std::size_t vectors = (length - head) / 16, tail = head + 16 * vectors;
  if (thread == 0) count_runs<Binning>(data, static_cast<unsigned>(head), counts);
  if (thread == threads - 1) count_runs<Binning>(data + tail, static_cast<unsigned>(length - tail), counts);
  for (std::size_t i = thread; i < vectors; i += threads) {
    const uint4 vector = reinterpret_cast<const uint4*>(data + head)[i];
    unsigned char bytes[16];
    memcpy(bytes, &vector, sizeof bytes);
    count_runs<Binning>(bytes, 16, counts);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t bytes_of_block = 256 * 128;
  return {static_cast<unsigned>((length + bytes_of_block - 1) / bytes_of_block), 256};
}
