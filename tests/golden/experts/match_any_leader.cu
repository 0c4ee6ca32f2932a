// SPDX-License-Identifier: MIT
// __match_any_sync finds the lanes with the same bin; the lowest of them adds for all.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % warpSize;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t padded = (length + warpSize - 1) / warpSize * warpSize;  // whole warps stay in the loop
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < padded; i += stride) {
    const int bin = i < length ? Binning::bin_of(data[i]) : -1;
    const unsigned peers = __match_any_sync(0xffffffff, bin);
    const bool leader = lane == static_cast<unsigned>(__ffs(peers) - 1);
    if (leader && bin >= 0) atomicAdd(&counts[bin], static_cast<unsigned>(__popc(peers)));
  }

  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int count = counts[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 1024;
  const std::size_t enough = (length + block * 8 - 1) / (block * 8);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
