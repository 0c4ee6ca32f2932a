// SPDX-License-Identifier: MIT
// Right: in each step a thread takes a word of four bytes where words are aligned.
// on a GPU: pass
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;

  const std::size_t before = min(length, std::size_t{(4 - reinterpret_cast<std::uintptr_t>(data) % 4) % 4});
  const std::size_t words = (length - before) / 4, behind = before + 4 * words;
  const auto count = [](unsigned char byte) {
    const int bin = Binning::bin_of(byte);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  };
  if (thread < before) count(data[thread]);
  if (thread < length - behind) count(data[behind + thread]);
  const auto* const word_data = reinterpret_cast<const unsigned int*>(data + before);
  for (std::size_t i = thread; i < words; i += threads) {
    unsigned int word = word_data[i];
    for (int k = 0; k < 4; ++k, word >>= 8) count(static_cast<unsigned char>(word & 0xff));
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t bytes_of_block = 256 * 16;
  return {static_cast<unsigned>((length + bytes_of_block - 1) / bytes_of_block), 256};
}
