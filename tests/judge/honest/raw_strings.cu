// SPDX-License-Identifier: MIT
// Honest: raw strings, digit separators, binary numbers and characters.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const char* text = R"(a "quote" and a \ backslash)";
  const unsigned all = 0b1111'0000, many = 1'000'000;
  if (text[0] != 'a' || all + many == 0 || '\'' == '"') return;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
