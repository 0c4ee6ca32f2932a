// SPDX-License-Identifier: MIT
// Which of the block's tables a thread adds to follows from a division, as if there might be any number of
// them.
#include "lab.hpp"

constexpr unsigned tables_of_block = 3;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned tables[tables_of_block][Binning::bins];
  for (unsigned i = threadIdx.x; i < tables_of_block * Binning::bins; i += blockDim.x)
    tables[i / Binning::bins][i % Binning::bins] = 0;
  __syncthreads();
  const unsigned pieces = gridDim.x % 7 + tables_of_block;  // a number that the compiler does not know
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    const unsigned which = static_cast<unsigned>(i) % pieces % tables_of_block;
    if (bin >= 0) atomicAdd(&tables[which][bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    unsigned sum = 0;
    for (unsigned k = 0; k < tables_of_block; ++k) sum += tables[k][bin];
    if (sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 8, 256}; }
