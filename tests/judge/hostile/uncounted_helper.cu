// SPDX-License-Identifier: MIT
// Hostile: a helper without instrumentation reads what no counter sees.
// expected: forbidden: the attribute no_sanitize is not allowed
// judged: build_error: error: attributes that hide code from the checkers are not allowed in a kernel's file
// on a GPU: build_error: error: read belongs to the host: a kernel cannot call it, for it is not a __device__ function
#include "lab.hpp"

__attribute__((no_sanitize("thread"), noinline)) int read(const unsigned char* data) { return *data; }

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(read(data + i));
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
