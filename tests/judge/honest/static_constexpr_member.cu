// SPDX-License-Identifier: MIT
// Honest: tables as members of a template.
// nvcc refuses it
#include "lab.hpp"

template <int n>
struct Amounts {
  static constexpr unsigned all[n] = {1, 1};
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], Amounts<2>::all[threadIdx.x & 1]);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
