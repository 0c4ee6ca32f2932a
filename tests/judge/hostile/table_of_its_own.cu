// SPDX-License-Identifier: MIT
// Hostile: an object whose table of functions it makes of numbers.
// expected: crash: histogram_kernel calls through a pointer that holds no function of the file
// on a GPU: crash: cudaErrorInvalidPc: invalid program counter
#include "lab.hpp"

struct Base {
  __device__ virtual void act() const {}
};
struct Fake {
  unsigned long* table;
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned long table[4] = {length, length * 8, length + 4096, 7};
  Fake fake{table};
  reinterpret_cast<const Base*>(&fake)->act();
  if (data[0] == 'a') atomicAdd(&histo[0], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
