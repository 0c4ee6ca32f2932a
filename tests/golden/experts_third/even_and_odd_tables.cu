// SPDX-License-Identifier: MIT
// Two tables, one for even and one for odd threads, bin beside bin; four bytes at a load.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int table[Binning::bins * 2];
  for (unsigned i = threadIdx.x; i < Binning::bins * 2; i += blockDim.x) table[i] = 0u;
  __syncthreads();
  const unsigned odd = threadIdx.x & 1;
  const size_t quads = length >> 2;
  for (size_t q = (size_t)blockIdx.x * blockDim.x + threadIdx.x; q < quads;
       q += (size_t)gridDim.x * blockDim.x) {
    const uchar4 four = ((const uchar4*)data)[q];
    int b;
    b = Binning::bin_of(four.x);
    if (b >= 0) atomicAdd(table + 2 * b + odd, 1u);
    b = Binning::bin_of(four.y);
    if (b >= 0) atomicAdd(table + 2 * b + odd, 1u);
    b = Binning::bin_of(four.z);
    if (b >= 0) atomicAdd(table + 2 * b + odd, 1u);
    b = Binning::bin_of(four.w);
    if (b >= 0) atomicAdd(table + 2 * b + odd, 1u);
  }
  if (blockIdx.x == 0 && threadIdx.x < (length & 3)) {
    const int b = Binning::bin_of(data[quads * 4 + threadIdx.x]);
    if (b >= 0) atomicAdd(table + 2 * b + odd, 1u);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < Binning::bins; i += blockDim.x) {
    const uint2 both = reinterpret_cast<uint2*>(table)[i];
    if (both.x + both.y) atomicAdd(histo + i, both.x + both.y);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const unsigned block = 192;
  const std::size_t needed = (length / 4 + block - 1) / block + 1;
  return {(unsigned)(needed < 264 ? needed : 264), block};
}
