// SPDX-License-Identifier: MIT
// A switch over the class of a byte, with other work in each: letters go to the table of the warp, digits to
// ten 6-bit fields of a register that are emptied when one could overflow, all others to one table of the
// block.
#include "lab.hpp"

constexpr unsigned kWarps = 8, kThreads = kWarps * 32;
enum class Kind { letter, digit, other };

__device__ __forceinline__ Kind kind_of(unsigned char byte) {
  const unsigned folded = (byte | 0x20u) - 'a';
  if (folded < 26) return Kind::letter;
  return byte - unsigned{'0'} < 10 ? Kind::digit : Kind::other;
}

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  constexpr int bins = Binning::bins;
  __shared__ unsigned int letters[kWarps][bins];
  __shared__ unsigned int common[bins];
  for (unsigned i = threadIdx.x; i < kWarps * bins; i += kThreads) letters[i / bins][i % bins] = 0;
  for (int b = threadIdx.x; b < bins; b += kThreads) common[b] = 0;
  __syncthreads();
  unsigned int* const own = letters[threadIdx.x / 32];

  unsigned long long digits = 0;
  int room = 63;  // digits until a field could overflow
  const auto empty_digits = [&] {
    for (int d = 0; d < 10; ++d) {
      const unsigned int n = static_cast<unsigned int>(digits >> (6 * d)) & 63u;
      const int bin = Binning::bin_of(static_cast<unsigned char>('0' + d));
      if (n > 0 && bin >= 0) atomicAdd(&common[bin], n);
    }
    digits = 0;
    room = 63;
  };
  const auto count = [&](unsigned char byte) {
    switch (kind_of(byte)) {
      case Kind::letter: {
        const int bin = Binning::bin_of(byte);
        if (bin >= 0) atomicAdd(&own[bin], 1u);
        break;
      }
      case Kind::digit:
        digits += 1ull << (6 * (byte - '0'));
        if (--room == 0) empty_digits();
        break;
      case Kind::other: {
        const int bin = Binning::bin_of(byte);
        if (bin >= 0) atomicAdd(&common[bin], 1u);
        break;
      }
    }
  };

  const std::size_t thread = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * kThreads;
  for (std::size_t w = thread; w < length / 4; w += threads) {
    unsigned int word = reinterpret_cast<const unsigned int*>(data)[w];
#pragma unroll 1
    for (int k = 0; k < 4; ++k, word >>= 8) count(static_cast<unsigned char>(word & 0xff));
  }
  const std::size_t rest = length / 4 * 4 + thread;
  if (rest < length) count(data[rest]);
  if (room < 63) empty_digits();
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += kThreads) {
    unsigned int sum = common[b];
#pragma unroll
    for (unsigned w = 0; w < kWarps; ++w) sum += letters[w][b];
    if (sum > 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t need = (length + kThreads * 32 - 1) / (kThreads * 32);
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(need < room ? need : room), kThreads};
}
