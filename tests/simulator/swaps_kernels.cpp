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

// A table with open addressing. Some lanes find their key in the place that they ask for, and leave the loop
// though their compare-and-swap has failed; others go on to the next place.
__global__ void count_keys(const unsigned char* keys, unsigned* places, unsigned* counts) {
  __shared__ unsigned key_of[16], count_of[16];
  constexpr unsigned nobody = 256;
  if (threadIdx.x < 16) {
    key_of[threadIdx.x] = nobody;
    count_of[threadIdx.x] = 0;
  }
  __syncthreads();
  const unsigned key = keys[threadIdx.x];
  unsigned at = key % 2;
  for (;; at = (at + 1) % 16) {
    const unsigned found = atomicCAS(&key_of[at], nobody, key);
    if (found == nobody || found == key) break;
  }
  atomicAdd(&count_of[at], 1u);
  __syncthreads();
  places[threadIdx.x] = at;
  if (threadIdx.x < 16) counts[threadIdx.x] = count_of[threadIdx.x];
}
