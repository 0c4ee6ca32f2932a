// SPDX-License-Identifier: MIT
// Honest: a `switch` in a loop whose cases do different things.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned count = 0;
  for (int step = 0; step < 8; ++step) {
    switch ((threadIdx.x + step) % 6) {
      case 0: count += 1; break;
      case 1: count *= 3; break;
      case 2: count ^= 5; break;
      case 3: count = __popc(count); break;
      case 4: count -= 2; break;
      default: count += threadIdx.x;
    }
  }
  if (count == 0xffffffff && length == 0) return;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
