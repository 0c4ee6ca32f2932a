// SPDX-License-Identifier: MIT
// Persistent blocks; each warp takes one contiguous chunk of the input and reads it 32 bytes at a time.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();

  const int warps_per_block = blockDim.x / 32;
  const size_t warps = (size_t)gridDim.x * warps_per_block;
  const size_t warp = (size_t)blockIdx.x * warps_per_block + threadIdx.x / 32;
  // Chunks of whole sectors, so that two warps never share one.
  const size_t chunk = ((length + warps - 1) / warps + 31) / 32 * 32;
  const size_t begin = warp * chunk;
  const size_t end = begin + chunk < length ? begin + chunk : length;

#pragma unroll 1
  for (size_t i = begin + threadIdx.x % 32; i < end; i += 32) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(counts + bin, 1);
  }

  __syncthreads();
  // Only the first warps have bins to commit; the others are done.
  if (threadIdx.x >= (Binning::bins + 31) / 32 * 32) return;
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    if (counts[b] > 0) atomicAdd(histo + b, counts[b]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + 2047) / 2048;
  const std::size_t persistent = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < persistent ? enough : persistent), block};
}
