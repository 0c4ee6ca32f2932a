// SPDX-License-Identifier: MIT
// An atomic that returns 0 has met its bin for the first time, and the thread enters it in a list. The commit
// goes through the list and needs no test for zero.
#include "lab.hpp"

template <class Binning>
struct Table {
  unsigned int counts[Binning::bins];
  unsigned short list[Binning::bins];
  unsigned int listed;

  __device__ void clear() {
    for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
    if (threadIdx.x == 0) listed = 0;
  }
  __device__ void add(unsigned char byte) {
    const int bin = Binning::bin_of(byte);
    if (bin < 0) return;
    if (atomicAdd(&counts[bin], 1u) == 0) list[atomicAdd(&listed, 1u)] = static_cast<unsigned short>(bin);
  }
  __device__ void commit(unsigned int* histo) const {
    const unsigned n = listed;
    for (unsigned k = threadIdx.x; k < n; k += blockDim.x) {
      const unsigned bin = list[k];
      atomicAdd(&histo[bin], counts[bin]);
    }
  }
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ Table<Binning> table;
  table.clear();
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 4 : 0;
  for (std::size_t w = thread; w < words; w += threads) {
    const unsigned int word = __ldg(reinterpret_cast<const unsigned int*>(data) + w);
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) table.add(static_cast<unsigned char>(word >> shift));
  }
  for (std::size_t i = words * 4 + thread; i < length; i += threads) table.add(data[i]);
  __syncthreads();
  table.commit(histo);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  const std::size_t enough = (length + block * 16 - 1) / (block * 16);
  const std::size_t most = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
