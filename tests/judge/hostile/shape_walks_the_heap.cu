// SPDX-License-Identifier: MIT
// Hostile: launch_shape looks for the harness's buffers around what it has allocated.
// expected: out_of_bounds: launch_shape read memory that is not its own: a function of the host may touch its variables and what it has allocated
// on a GPU: build_error: error: identifier "found" is undefined in device code
#include "lab.hpp"

static unsigned long* found;
#define FOUND found  // which hides from the rules of tokens that the kernel uses it

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  if (FOUND && data[0] == 'a' && length > 0) atomicAdd(&histo[0], 1);
}

LaunchShape launch_shape(std::size_t length) {
  auto* const mine = new unsigned long[4];
  for (unsigned long* p = mine; p < mine + 100000; ++p) {
    if (*p == length) found = p;
  }
  return {static_cast<unsigned>((length + 255) / 256), 256};
}
