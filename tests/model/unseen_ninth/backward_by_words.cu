// SPDX-License-Identifier: MIT
// Each block owns one piece of the input and walks it from its end to its beginning, a word a thread, with a
// pointer that goes down. Blocks of six warps.
#include "lab.hpp"

constexpr unsigned block_size = 192;

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) counts[bin] = 0;
  __syncthreads();
  const auto count = [&](unsigned int byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  };

  const std::size_t skew = (4 - reinterpret_cast<std::uintptr_t>(data) % 4) % 4;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t words = (length - head) / 4;
  const std::size_t piece = (words + gridDim.x - 1) / gridDim.x;
  const std::size_t begin = piece * blockIdx.x < words ? piece * blockIdx.x : words;
  const std::size_t end = begin + piece < words ? begin + piece : words;
  const unsigned int* const all = reinterpret_cast<const unsigned int*>(data + head);

  std::ptrdiff_t left =
      static_cast<std::ptrdiff_t>(end - begin) - 1 - static_cast<std::ptrdiff_t>(threadIdx.x);
  const unsigned int* from = all + begin + left;
  for (; left >= 0; left -= block_size, from -= block_size) {
    const unsigned int word = *from;
    count(word & 0xff);
    count(word >> 8 & 0xff);
    count(word >> 16 & 0xff);
    count(word >> 24);
  }
  if (blockIdx.x == gridDim.x - 1) {
    if (threadIdx.x < head) count(data[threadIdx.x]);
    const std::size_t rest = length - head - words * 4;
    if (threadIdx.x < rest) count(data[length - 1 - threadIdx.x]);
  }
  __syncthreads();
  for (int bin = Binning::bins - 1 - static_cast<int>(threadIdx.x); bin >= 0; bin -= block_size) {
    if (counts[bin] != 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 16 - 1) / (block_size * 16);
  const std::size_t most = 6 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
