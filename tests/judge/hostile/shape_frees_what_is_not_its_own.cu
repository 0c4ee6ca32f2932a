// SPDX-License-Identifier: MIT
// Hostile: launch_shape gives memory back that it has not got, to have the harness use it for something else.
// expected: out_of_bounds: launch_shape frees memory that it has not allocated
// on a GPU: crash: it was ended by SIGABRT (Aborted)
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  if (data[0] == 'a' && length > 0) atomicAdd(&histo[0], 1);
}

LaunchShape launch_shape(std::size_t length) {
  char* const memory = new char[256];
  free(memory + 64);
  return {static_cast<unsigned>((length + 255) / 256), 256};
}
