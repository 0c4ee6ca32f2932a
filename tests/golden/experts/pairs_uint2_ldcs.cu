// SPDX-License-Identifier: MIT
// Streaming uint2 loads (__ldcs), two of them under way a thread before the first is counted.
#include "lab.hpp"

template <class Binning>
struct EightBytes {
  unsigned int* counts;

  __device__ void operator()(uint2 v) const {
    word(v.x);
    word(v.y);
  }
  __device__ void word(unsigned w) const {
    for (int k = 0; k < 4; ++k, w >>= 8) {
      const int bin = Binning::bin_of(w & 0xffu);
      if (bin >= 0) atomicAdd(&counts[bin], 1u);
    }
  }
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                                 unsigned int* __restrict__ histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0u;
  __syncthreads();

  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % alignof(uint2) == 0;
  const std::size_t pairs = aligned ? length / 8 : 0;
  const uint2* in = reinterpret_cast<const uint2*>(data);
  const EightBytes<Binning> count{counts};

  const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
  const std::size_t me = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  std::size_t p = me;
  for (; p + step < pairs; p += 2 * step) {
    const uint2 a = __ldcs(in + p);
    const uint2 b = __ldcs(in + p + step);
    count(a);
    count(b);
  }
  if (p < pairs) count(__ldcs(in + p));

  for (std::size_t i = pairs * 8 + me; i < length; i += step) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }

  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (const unsigned n = counts[b]) atomicAdd(&histo[b], n);
}

LaunchShape launch_shape(std::size_t length) {
  const unsigned block = 256;
  std::size_t grid = (length + block * 16 - 1) / (block * 16);
  const std::size_t full = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  if (grid > full) grid = full;
  return {unsigned(grid), block};
}
