// SPDX-License-Identifier: MIT
// Right: of an array that is not filled, only what has been loaded is counted.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
__shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  unsigned char bytes[8];
  for (std::size_t i = thread; i < length; i += 8 * threads) {
    for (unsigned k = 0; k < 8; ++k) if (i + k * threads < length) bytes[k] = data[i + k * threads];
    for (unsigned k = 0; k < 8; ++k) {
      if (i + k * threads >= length) break;
      const int bin = Binning::bin_of(bytes[k]);
      if (bin >= 0) atomicAdd(&counts[bin], 1u);
    }
  }
__syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}
LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + block * 16 - 1) / (block * 16);
  return {static_cast<unsigned>(enough < 64 ? enough : 64), block};
}
