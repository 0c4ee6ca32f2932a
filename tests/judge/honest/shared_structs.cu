// SPDX-License-Identifier: MIT
// Honest: structs in shared memory, of several dimensions.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  struct Row {
    unsigned counts[Binning::bins];
    unsigned total;
  };
  __shared__ Row rows[2];
  for (int n = threadIdx.x; n < 2 * Binning::bins; n += blockDim.x) rows[n % 2].counts[n / 2] = 0;
  if (threadIdx.x < 2) rows[threadIdx.x].total = 0;
  __syncthreads();
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const int bin = i < length ? Binning::bin_of(data[i]) : -1;
  if (bin >= 0) atomicAdd(&rows[threadIdx.x / 32 % 2].counts[bin], 1), atomicAdd(&rows[threadIdx.x / 32 % 2].total, 1);
  __syncthreads();
  for (int n = threadIdx.x; n < Binning::bins; n += blockDim.x) atomicAdd(&histo[n], rows[0].counts[n] + rows[1].counts[n]);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
