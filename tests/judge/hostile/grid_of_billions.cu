// SPDX-License-Identifier: MIT
// Hostile: a grid that takes years.
// expected: timeout: the launch still runs after 9 s: it has 2,147,483,647 blocks of 1,024 threads
// on a GPU: wrong_answer: every byte is counted 512 times
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t) { return {2147483647u, 1024}; }
