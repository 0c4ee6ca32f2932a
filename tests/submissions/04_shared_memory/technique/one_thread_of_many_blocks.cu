// SPDX-License-Identifier: MIT
// Wrong: counts in shared memory, but one thread does it for all: the others do nothing.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  for (int bin = 0; bin < Binning::bins; ++bin) counts[bin] = 0;
  for (std::size_t position = 0; position < length; ++position) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) ++counts[bin];
  }
  for (int bin = 0; bin < Binning::bins; ++bin) atomicAdd(&histo[bin], counts[bin]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
