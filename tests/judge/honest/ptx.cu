// SPDX-License-Identifier: MIT
// Honest: PTX in device code.
// needs a GPU
#include "lab.hpp"

__device__ inline unsigned lane() {
  unsigned id;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
}
#define SMID(out) asm("mov.u32 %0, %%smid;" : "=r"(out))

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sm;
  SMID(sm);
  if (lane() > 31 || sm > 100000) return;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
