// SPDX-License-Identifier: MIT
// Honest: pointers to members, of data and of functions.
#include "lab.hpp"

struct Counter {
  unsigned int* histo;
  unsigned amount;
  __device__ void add(int bin) { atomicAdd(&histo[bin], amount); }
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  Counter counter{histo, 1};
  unsigned Counter::*const amount = &Counter::amount;
  void (Counter::*const add)(int) = &Counter::add;
  if (bin >= 0 && counter.*amount == 1) (counter.*add)(bin);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
