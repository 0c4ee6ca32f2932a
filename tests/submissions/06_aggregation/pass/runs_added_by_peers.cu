// SPDX-License-Identifier: MIT
// Right: where a lane closes its run, the runs of all lanes with its bin are added up first.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  constexpr unsigned all = 0xffffffff;
  int current = -1;
  unsigned int run = 0;
  const auto commit = [&](bool closes) {
    const int key = closes ? current : -1;
    const unsigned peers = __match_any_sync(all, key);
    const unsigned total = __reduce_add_sync(peers, closes ? run : 0);
    if (key >= 0 && threadIdx.x % 32 == __ffs(peers) - 1) atomicAdd(&counts[key], total);
  };
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t first = std::size_t{blockIdx.x} * blockDim.x; first < length; first += threads) {
    const std::size_t i = first + threadIdx.x;
    const int bin = i < length ? Binning::bin_of(data[i]) : -1;
    const bool closes = bin != current && current >= 0;
    if (__any_sync(all, closes)) commit(closes);
    if (bin != current) current = bin, run = 0;
    ++run;
  }
  commit(current >= 0);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t block = 256, per_thread = 16;
  const std::size_t enough = (length + block * per_thread - 1) / (block * per_thread);
  const std::size_t most = 2 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), static_cast<unsigned>(block)};
}
