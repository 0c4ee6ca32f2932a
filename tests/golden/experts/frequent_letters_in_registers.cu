// SPDX-License-Identifier: MIT
// The bins of the most frequent letters (e, t, a, o) are counted in registers; the rest by shared atomics.
#include "lab.hpp"

template <class Binning>
struct Hot {
  static constexpr int e = Binning::bin_of('e');
  static constexpr int t = Binning::bin_of('t');
  static constexpr int a = Binning::bin_of('a');
  static constexpr int o = Binning::bin_of('o');
};

__device__ inline unsigned int warp_sum(unsigned int v) {
  for (int offset = 16; offset >= 1; offset >>= 1) v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  using H = Hot<Binning>;
  __shared__ unsigned int counts[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();

  unsigned int e = 0, t = 0, a = 0, o = 0;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
#pragma unroll 2
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += stride) {
    const int bin = Binning::bin_of(data[i]);
    if (bin == H::e)
      ++e;
    else if (bin == H::t)
      ++t;
    else if (bin == H::a)
      ++a;
    else if (bin == H::o)
      ++o;
    else if (bin >= 0)
      atomicAdd(&counts[bin], 1u);
  }

  e = warp_sum(e);
  t = warp_sum(t);
  a = warp_sum(a);
  o = warp_sum(o);
  if (threadIdx.x % 32 == 0) {
    if (e) atomicAdd(&counts[H::e], e);
    if (t) atomicAdd(&counts[H::t], t);
    if (a) atomicAdd(&counts[H::a], a);
    if (o) atomicAdd(&counts[H::o], o);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (counts[b]) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + block * 32 - 1) / (block * 32);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
