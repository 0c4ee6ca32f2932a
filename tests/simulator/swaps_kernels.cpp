// SPDX-License-Identifier: MIT
// Kernels whose lanes try compare-and-swaps again and again.
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

// Counts bytes into counters of 8 bits, four to a word.
__global__ void count_packed(const unsigned char* data, unsigned length, unsigned* counts) {
  __shared__ unsigned words[64];
  words[threadIdx.x] = words[threadIdx.x + 32] = 0;
  __syncthreads();
  for (unsigned i = threadIdx.x; i < length; i += 32) {
    const unsigned bin = data[i];
    unsigned* const word = &words[bin / 4];
    unsigned seen = *const_cast<volatile unsigned*>(word), old = 0;
    do {
      old = seen;
      seen = atomicCAS(word, old, old + (1u << 8 * (bin % 4)));
    } while (seen != old);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 64; i += 32) counts[i] = words[i];
}
