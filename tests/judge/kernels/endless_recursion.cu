// SPDX-License-Identifier: MIT
// Wrong: a recursion that has no end.
#include "lab.hpp"

__device__ unsigned int visited(unsigned int position, unsigned int* histo) {
  if (atomicAdd(&histo[0], 0u) > 1u << 30) return 0;
  return position + visited(position + 1, histo);  // deeper and deeper
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  if (visited(threadIdx.x, histo) < length) histo[0] = data[0];
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
