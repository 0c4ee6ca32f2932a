// SPDX-License-Identifier: MIT
// 1,024 neighbouring bytes for each thread, 16 at a time: neighbouring threads read far from one another.
#include "lab.hpp"

constexpr std::size_t bytes_of_thread = 1024;

struct alignas(16) Quad {
  unsigned words[4];
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const std::size_t begin = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * bytes_of_thread;
  const std::size_t end = begin + bytes_of_thread < length ? begin + bytes_of_thread : length;
  const std::size_t quads =
      begin < end && reinterpret_cast<std::uintptr_t>(data) % 16 == 0 ? (end - begin) / 16 : 0;
  for (std::size_t q = 0; q < quads; ++q) {
    const Quad quad = reinterpret_cast<const Quad*>(data + begin)[q];
    for (int k = 0; k < 4; ++k) {
      for (int shift = 0; shift < 32; shift += 8) {
        const int bin = Binning::bin_of(static_cast<unsigned char>(quad.words[k] >> shift));
        if (bin >= 0) atomicAdd(&table[bin], 1u);
      }
    }
  }
  for (std::size_t i = begin + 16 * quads; i < end; ++i) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 64;
  return {static_cast<unsigned>((length + block * bytes_of_thread - 1) / (block * bytes_of_thread)), block};
}
