// SPDX-License-Identifier: MIT
// Hostile: launch_shape has printf write to memory that is not its own.
// expected: limit: launch_shape prints with %n, which writes to memory: that is not simulated
// on a GPU: crash: it was ended by SIGABRT (Aborted)
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  if (data[0] == 'a' && length > 0) atomicAdd(&histo[0], 1);
}

LaunchShape launch_shape(std::size_t length) {
  int local = 0;
  std::printf("%*c%n", static_cast<int>(length % 100), ' ', &local + length);
  return {static_cast<unsigned>((length + 255) / 256), 256};
}
