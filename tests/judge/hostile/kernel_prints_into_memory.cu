// SPDX-License-Identifier: MIT
// Hostile: one thread counts, and has printf write the counts.
// expected: limit: histogram_kernel prints with %n, which writes to memory: that is not simulated
// on a GPU: wrong_answer: `histo` stays 0 in every bin
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  int local[Binning::bins] = {};
  for (std::size_t i = 0; i < length; ++i) {
    if (Binning::bin_of(data[i]) >= 0) ++local[Binning::bin_of(data[i])];
  }
  for (int bin = 0; bin < Binning::bins; ++bin) printf("%*c%hhn", local[bin], ' ', reinterpret_cast<signed char*>(histo + bin));
}

LaunchShape launch_shape(std::size_t) { return {1, 1}; }
