// SPDX-License-Identifier: MIT
// Hostile: jumps behind the checks of its own code.
// expected: crash: histogram_kernel jumps through a pointer that holds no place in it
// on a GPU: build_error: error: address of label extension is not supported in __device__/__global__ functions
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  void* const places[] = {&&here, &&there};
  void* const place = static_cast<char*>(places[data[0] & 1]) + length;
  goto* place;
here:
  atomicAdd(&histo[0], 1);
  return;
there:
  atomicAdd(&histo[1], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
