// SPDX-License-Identifier: MIT
// Hostile: a store that is an instruction, which no hook sees.
// expected: forbidden: __builtin_ia32_movnti is not allowed
// on a GPU: build_error: error: calling a __host__ function("__builtin_ia32_movnti") from a __device__ function("put") is not allowed
#include "lab.hpp"

__device__ void put(int* p) { __builtin_ia32_movnti(p, 1); }

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
