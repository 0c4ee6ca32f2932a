// SPDX-License-Identifier: MIT
// Hostile: launch_shape writes to the variables of whoever calls it.
// expected: out_of_bounds: launch_shape wrote memory that is not its own: a function of the host may touch its variables and what it has allocated
// on a GPU: crash: it was ended by SIGSEGV (Segmentation fault)
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  if (data[0] == 'a' && length > 0) atomicAdd(&histo[0], 1);
}

LaunchShape launch_shape(std::size_t length) {
  unsigned long local[2] = {length, 1};
  unsigned long* p = local;
  for (int k = 8; k < 200; ++k) p[k] = length;
  return {static_cast<unsigned>((length + 255) / 256), static_cast<unsigned>(255 + local[1])};
}
