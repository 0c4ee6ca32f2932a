// SPDX-License-Identifier: MIT
// Neighbouring lanes with the same bin form a run. Only the first lane of a run adds, the whole run at a
// time.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; base < length;
       base += threads) {
    const int bin = base + lane < length ? Binning::bin_of(data[base + lane]) : -1;
    const int before = __shfl_up_sync(~0u, bin, 1);
    const bool first = lane == 0 || before != bin;
    const unsigned firsts = __ballot_sync(~0u, first);
    const unsigned behind = lane == 31 ? 0 : firsts >> (lane + 1);
    const unsigned run = behind == 0 ? 32 - lane : __ffs(behind);
    if (first && bin >= 0) atomicAdd(&table[bin], run);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 8, 256}; }
