// SPDX-License-Identifier: MIT
// Hostile: a variable of the thread of the operating system, which all of a block's threads share on the simulator.
// expected: forbidden: thread_local is not allowed
// on a GPU: build_error: error: met belongs to the host: a kernel cannot use it, for it is neither __device__ nor __constant__
#include "lab.hpp"

thread_local unsigned int met = 0;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  met += 1;
  if (bin >= 0) atomicAdd(&histo[bin], 1u);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
