// SPDX-License-Identifier: MIT
// A table for each warp. The lanes that met the same bin find one another by match_any, and the lowest of
// them adds their number with a plain load and store: within a warp no two leaders have the same bin.
#include "lab.hpp"

constexpr unsigned block_size = 256, warps = block_size / 32;
constexpr unsigned everyone = 0xffffffffu;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int tables[warps][Binning::bins];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  unsigned int* const table = tables[warp];
  for (unsigned bin = lane; bin < Binning::bins; bin += 32) table[bin] = 0;
  __syncwarp();

  const std::size_t step = std::size_t{gridDim.x} * block_size;
  for (std::size_t base = std::size_t{blockIdx.x} * block_size + warp * 32; base < length; base += step) {
    const int bin = base + lane < length ? Binning::bin_of(data[base + lane]) : -1;
    const unsigned peers = __match_any_sync(everyone, bin);
    const bool leads = static_cast<unsigned>(__ffs(static_cast<int>(peers)) - 1) == lane;
    if (leads && bin >= 0) table[bin] += __popc(peers);
    __syncwarp();
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    unsigned int sum = 0;
    for (unsigned w = 0; w < warps; ++w) sum += tables[w][bin];
    if (sum != 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 8 - 1) / (block_size * 8);
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
