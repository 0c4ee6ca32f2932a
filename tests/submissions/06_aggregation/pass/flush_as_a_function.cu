// SPDX-License-Identifier: MIT
// Right: a lambda adds a run; bytes that are not counted make runs too, which nobody adds.
// on a GPU: pass
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;

  int bin_of_run = Binning::bins;
  unsigned int length_of_run = 0;
  const auto flush = [&] {
    if (bin_of_run >= 0 && length_of_run > 0) atomicAdd(counts + bin_of_run, length_of_run);
    length_of_run = 0;
  };
  for (std::size_t i = thread; i < length; i += threads, ++length_of_run) {
    if (Binning::bin_of(data[i]) == bin_of_run) continue;
    flush();
    bin_of_run = Binning::bin_of(data[i]);
  }
  flush();
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t) { return {16, 512}; }
