// SPDX-License-Identifier: MIT
// Two passes: 32 padded tables (stride bins + 1), then each warp reduces one bin at a time with __shfl_down_sync.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int tables = 32;
  constexpr int stride = Binning::bins + 1;
  __shared__ unsigned int partial[tables * stride];

  for (int i = threadIdx.x; i < tables * stride; i += blockDim.x) partial[i] = 0;
  __syncthreads();

  // Pass 1: lane l counts into table l, so two lanes of a warp never meet in a counter.
  const int lane = threadIdx.x % 32;
  unsigned int* mine = partial + lane * stride;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&mine[bin], 1u);
  }
  __syncthreads();

  // Pass 2: warp w sums bins w, w + warps, ...
  const int warps = blockDim.x / 32;
  for (int bin = threadIdx.x / 32; bin < Binning::bins; bin += warps) {
    unsigned int sum = partial[lane * stride + bin];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0 && sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  const std::size_t enough = (length + block * 64 - 1) / (block * 64);
  const std::size_t most = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
