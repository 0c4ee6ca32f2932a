// SPDX-License-Identifier: MIT
// Hostile: calls what lies behind its own function, in the middle of the program.
// expected: crash: histogram_kernel calls through a pointer that holds no function of the file
// on a GPU: crash: ...
#include "lab.hpp"

__device__ void helper() {}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const auto address = reinterpret_cast<unsigned long>(&helper) + 64 + length % 7;
  reinterpret_cast<void (*)()>(address)();
  if (data[0] == 'a') atomicAdd(&histo[0], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
