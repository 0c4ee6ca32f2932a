// SPDX-License-Identifier: MIT
// Small blocks that commit two neighbouring counters with one atomic of 64 bits.
#include "lab.hpp"

constexpr unsigned bytes_of_thread = 16;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned table[Binning::bins + 1];
  for (unsigned bin = threadIdx.x; bin <= Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const std::size_t begin = std::size_t{blockIdx.x} * blockDim.x * bytes_of_thread;
  for (unsigned k = 0; k < bytes_of_thread; ++k) {
    const std::size_t i = begin + k * blockDim.x + threadIdx.x;
    const int bin = i < length ? Binning::bin_of(data[i]) : -1;
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  const bool aligned = reinterpret_cast<std::uintptr_t>(histo) % 8 == 0;
  for (unsigned pair = threadIdx.x; 2 * pair < Binning::bins; pair += blockDim.x) {
    const unsigned bin = 2 * pair;
    if (aligned && bin + 1 < Binning::bins) {
      const unsigned long long both = table[bin] + (static_cast<unsigned long long>(table[bin + 1]) << 32);
      if (both > 0) atomicAdd(reinterpret_cast<unsigned long long*>(&histo[bin]), both);
    } else {
      atomicAdd(&histo[bin], table[bin]);
      if (bin + 1 < Binning::bins) atomicAdd(&histo[bin + 1], table[bin + 1]);
    }
  }
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + 128 * bytes_of_thread - 1) / (128 * bytes_of_thread)), 128};
}
