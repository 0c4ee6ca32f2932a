// SPDX-License-Identifier: MIT
// Wrong: two lanes write two bit-fields of one word.
#include "lab.hpp"
struct Pair {
  unsigned even : 16, odd : 16;
};
template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned counts[Binning::bins];
  __shared__ Pair pairs[128];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int bin = position < length ? Binning::bin_of(data[position]) : -1;
  if (threadIdx.x % 2 == 0) {
    pairs[threadIdx.x / 2].even = bin + 1;
  } else {
    pairs[threadIdx.x / 2].odd = bin + 1;
  }
  __syncthreads();
  const Pair other = pairs[127 - threadIdx.x / 2];
  const int theirs = int(threadIdx.x % 2 == 0 ? other.odd : other.even) - 1;
  if (theirs >= 0) atomicAdd(&counts[theirs], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
  }
}
LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
