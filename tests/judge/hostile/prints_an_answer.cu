// SPDX-License-Identifier: MIT
// Hostile: writes what an answer of the runner looks like, and ends.
// expected: crash: it was ended by SIGABRT (Aborted)
// on a GPU: build_error: error: calling a __host__ function("abort") from a __global__ function("histogram_kernel<Letters4>") is not allowed
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  printf("{\"outputs\":[\"AAAA\"],\"grid\":1,\"block\":1,\"verdict\":\"pass\"}\n");
  if (length > 0) abort();
  if (data[0] == 'a') atomicAdd(&histo[0], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
