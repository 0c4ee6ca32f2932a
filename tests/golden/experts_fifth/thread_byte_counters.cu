// SPDX-License-Identifier: MIT
// Each thread counts in bytes of its own, four bins packed in a word, without atomics; after 255 bytes a
// thread the block sums the columns of the padded table and starts anew.
#include "lab.hpp"

#define THREADS 96
#define PITCH (THREADS + 1)
#define ROUNDS 255

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int rows = (Binning::bins + 3) / 4;
  __shared__ unsigned int packed[rows * PITCH];

  for (int k = threadIdx.x; k < rows * PITCH; k += THREADS) packed[k] = 0;
  __syncthreads();

  const std::size_t chunk = std::size_t(THREADS) * ROUNDS;
  for (std::size_t first = blockIdx.x * chunk; first < length; first += gridDim.x * chunk) {
    std::size_t pos = first + threadIdx.x;
#pragma unroll 5
    for (int round = 0; round < ROUNDS; ++round, pos += THREADS) {
      if (pos >= length) break;
      const int bin = Binning::bin_of(data[pos]);
      if (bin < 0) continue;
      packed[(bin >> 2) * PITCH + threadIdx.x] += 1u << ((bin & 3) << 3);
    }
    __syncthreads();

    for (int row = threadIdx.x; row < rows; row += THREADS) {
      unsigned int even = 0, odd = 0;  // two sums of 16 bits each: 96 * 255 fits
      for (int column = 0; column < THREADS; ++column) {
        const unsigned int word = packed[row * PITCH + column];
        packed[row * PITCH + column] = 0;
        even += word & 0x00ff00ffu;
        odd += (word >> 8) & 0x00ff00ffu;
      }
      const int bin = row * 4;
      if (even & 0xffffu) atomicAdd(&histo[bin], even & 0xffffu);
      if (odd & 0xffffu) atomicAdd(&histo[bin + 1], odd & 0xffffu);
      if (even >> 16) atomicAdd(&histo[bin + 2], even >> 16);
      if (odd >> 16) atomicAdd(&histo[bin + 3], odd >> 16);
    }
    __syncthreads();
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t chunks = length / (THREADS * ROUNDS) + 1;
  const std::size_t limit = multiprocessors() * std::size_t(8);
  return {unsigned(chunks < limit ? chunks : limit), THREADS};
}
