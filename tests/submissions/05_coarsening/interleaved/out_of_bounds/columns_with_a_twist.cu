// SPDX-License-Identifier: MIT
// Wrong: threads add up rows of 32 columns, each from a column of its own on, and do not come back to the first one at
// the end.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int columns[Binning::bins][32];
  for (unsigned i = threadIdx.x; i < Binning::bins * 32; i += blockDim.x) columns[i / 32][i % 32] = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&columns[bin][lane], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned k = 0; k < 32; ++k) sum += columns[bin][k + lane];
    if (sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t block = 256, per_thread = 16;
  const std::size_t enough = (length + block * per_thread - 1) / (block * per_thread);
  const std::size_t most = 2 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), static_cast<unsigned>(block)};
}
