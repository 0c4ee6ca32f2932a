// SPDX-License-Identifier: MIT
// Four bytes of a word at a time; equal neighbours among the four bins are added together before they are
// counted.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  extern __shared__ unsigned int table[];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) table[b] = 0;
  __syncthreads();
  const std::size_t words = length / 4, threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t w = thread; w < words; w += threads) {
    const uchar4 four = reinterpret_cast<const uchar4*>(data)[w];
    const int bins[4] = {Binning::bin_of(four.x), Binning::bin_of(four.y), Binning::bin_of(four.z),
                         Binning::bin_of(four.w)};
    unsigned int run = 1;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (k < 3 && bins[k] == bins[k + 1]) {
        ++run;
      } else {
        if (bins[k] >= 0) atomicAdd(&table[bins[k]], run);
        run = 1;
      }
    }
  }
  for (std::size_t i = words * 4 + thread; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (table[b] != 0) atomicAdd(&histo[b], table[b]);
}

LaunchShape launch_shape(std::size_t length) { return {multiprocessors(), 512, 256 * sizeof(unsigned int)}; }
