// SPDX-License-Identifier: MIT
// Hostile: looks a function up by its name.
// expected: forbidden: dlsym is not open to a lab's file
#include "lab.hpp"

extern "C" void* dlsym(void* library, const char* name);

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) {
  if (auto* const exit = reinterpret_cast<void (*)(int)>(dlsym(nullptr, "_exit"))) exit(0);
  return {static_cast<unsigned>((length + 255) / 256), 256};
}
