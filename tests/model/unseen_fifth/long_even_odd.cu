// SPDX-License-Identifier: MIT
// An unsigned long long a bin: its lower half counts the bytes at even positions, its upper half those at odd
// ones. Two equal neighbours are one 64-bit atomic that adds to both halves.
#include "lab.hpp"

constexpr unsigned long long kEven = 1ull, kOdd = 1ull << 32;

template <class Binning>
__device__ __forceinline__ void count_pair(unsigned long long* counts, unsigned int pair) {
  const int even = Binning::bin_of(static_cast<unsigned char>(pair & 0xff));
  const int odd = Binning::bin_of(static_cast<unsigned char>(pair >> 8 & 0xff));
  if (even == odd) {
    if (even >= 0) atomicAdd(&counts[even], kEven + kOdd);
  } else {
    if (even >= 0) atomicAdd(&counts[even], kEven);
    if (odd >= 0) atomicAdd(&counts[odd], kOdd);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned long long counts[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0ull;
  __syncthreads();

  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const uint2* const in = reinterpret_cast<const uint2*>(data);
  for (std::size_t i = thread; i < length / 8; i += threads) {
    const uint2 v = in[i];
    count_pair<Binning>(counts, v.x);
    count_pair<Binning>(counts, v.x >> 16);
    count_pair<Binning>(counts, v.y);
    count_pair<Binning>(counts, v.y >> 16);
  }
  const std::size_t rest = length / 8 * 8 + thread;
  if (rest < length) {
    const int bin = Binning::bin_of(data[rest]);
    if (bin >= 0) atomicAdd(&counts[bin], rest % 2 ? kOdd : kEven);
  }
  __syncthreads();

  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    const unsigned int sum =
        static_cast<unsigned int>(counts[b]) + static_cast<unsigned int>(counts[b] >> 32);
    if (sum != 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  const std::size_t need = (length + block * 32 - 1) / (block * 32);
  const std::size_t room = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(need < room ? need : room), block};
}
