// SPDX-License-Identifier: MIT
// The 4 by 4 bytes of a vector are transposed by __byte_perm; then neighbours in a word are counted in pairs,
// by one atomic if they are equal and two if not.
#include "lab.hpp"

__device__ __forceinline__ uint4 transposed(uint4 v) {
  const unsigned int xy_low = __byte_perm(v.x, v.y, 0x5140), xy_high = __byte_perm(v.x, v.y, 0x7362);
  const unsigned int zw_low = __byte_perm(v.z, v.w, 0x5140), zw_high = __byte_perm(v.z, v.w, 0x7362);
  return make_uint4(__byte_perm(xy_low, zw_low, 0x5410), __byte_perm(xy_low, zw_low, 0x7632),
                    __byte_perm(xy_high, zw_high, 0x5410), __byte_perm(xy_high, zw_high, 0x7632));
}

template <class Binning>
__device__ __forceinline__ void count_pair(unsigned int* counts, unsigned int pair) {
  const int a = Binning::bin_of(static_cast<unsigned char>(pair));
  const int b = Binning::bin_of(static_cast<unsigned char>(pair >> 8));
  if (a == b) {
    if (a >= 0) atomicAdd(&counts[a], 2u);
  } else {
    if (a >= 0) atomicAdd(&counts[a], 1u);
    if (b >= 0) atomicAdd(&counts[b], 1u);
  }
}

template <class Binning>
__device__ __forceinline__ void count_word(unsigned int* counts, unsigned int word) {
  count_pair<Binning>(counts, word & 0xffffu);
  count_pair<Binning>(counts, word >> 16);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int tables[2][Binning::bins];
  for (unsigned i = threadIdx.x; i < 2 * Binning::bins; i += blockDim.x) tables[i % 2][i / 2] = 0;
  __syncthreads();

  unsigned int* const even = tables[0];
  unsigned int* const odd = tables[1];
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t vectors = reinterpret_cast<std::uintptr_t>(data) % 16 == 0 ? length / 16 : 0;
#pragma unroll 2
  for (std::size_t v = thread; v < vectors; v += threads) {
    const uint4 t = transposed(__ldg(reinterpret_cast<const uint4*>(data) + v));
    count_word<Binning>(even, t.x);
    count_word<Binning>(odd, t.y);
    count_word<Binning>(even, t.z);
    count_word<Binning>(odd, t.w);
  }
  for (std::size_t i = vectors * 16 + thread; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&even[bin], 1u);
  }
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int sum = even[bin] + odd[bin];
    if (sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 448;
  const std::size_t enough = (length + block * 32 - 1) / (block * 32);
  const std::size_t most = std::size_t{multiprocessors()} * 4;
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
