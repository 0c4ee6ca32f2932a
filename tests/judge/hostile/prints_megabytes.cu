// SPDX-License-Identifier: MIT
// Hostile: prints without an end.
// expected: limit: it printed more than 16 MiB
// or on a GPU: timeout: no answer within 10 s
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  for (int line = 0; line < 1000000; ++line) printf("%0100d PASS\n", line);
  if (length > 0 && data[0] == 'a') atomicAdd(&histo[0], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
