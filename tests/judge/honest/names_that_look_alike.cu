// SPDX-License-Identifier: MIT
// Honest: variables called runner, histogram, main_bin, asm_count.
#include "lab.hpp"

struct Runner {
  int facts = 1, os = 0;
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  Runner runner;
  int histogram = runner.facts, main_bin = runner.os, asm_count = 0, simulator = 1;
  asm_count += histogram + main_bin + simulator;
  if (asm_count == 0) return;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
