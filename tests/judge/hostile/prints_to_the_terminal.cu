// SPDX-License-Identifier: MIT
// Hostile: clears the terminal and writes PASS there, in the colours of the judge.
// expected: wrong_answer: `histo` stays 0 in every bin
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  if (blockIdx.x + threadIdx.x == 0) printf("\033[2J\033[H\033]0;pass\a\033[32mpass: 123 cases\033[0m\r\n");
  if (length == 0 && data[0] == 'a') atomicAdd(&histo[0], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
