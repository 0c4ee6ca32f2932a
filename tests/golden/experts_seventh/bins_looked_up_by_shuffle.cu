// SPDX-License-Identifier: MIT
// The registers of a warp are the table that says which bin a byte has: each lane holds the bins of eight
// byte values, and lanes ask one another by shuffles. Two words a lane are under way.
#include "lab.hpp"

constexpr unsigned block_size = 128, not_counted = 255;
constexpr unsigned everybody = 0xffffffffu;

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) counts[bin] = 0;
  const unsigned lane = threadIdx.x % 32;
  // With 256 bins there is no number left for bytes that are not counted; every byte has a bin then.
  constexpr bool all_counted = Binning::bins == 256;
  unsigned int lower = 0, upper = 0;
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    const int low = Binning::bin_of(static_cast<unsigned char>(8 * lane + k));
    const int high = Binning::bin_of(static_cast<unsigned char>(8 * lane + 4 + k));
    lower |= (low < 0 ? not_counted : static_cast<unsigned>(low)) << 8 * k;
    upper |= (high < 0 ? not_counted : static_cast<unsigned>(high)) << 8 * k;
  }
  __syncthreads();

  const auto count = [&](unsigned int byte, bool inside) {
    const unsigned int low = __shfl_sync(everybody, lower, byte / 8);
    const unsigned int high = __shfl_sync(everybody, upper, byte / 8);
    const unsigned int bin = __byte_perm(low, high, byte % 8) & 255;
    if (inside && (all_counted || bin != not_counted)) atomicAdd(&counts[bin], 1u);
  };

  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 3;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t number = (length - head) / 4;
  const unsigned int* const words = reinterpret_cast<const unsigned int*>(data + head);
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  for (std::size_t first = thread - lane; first < number; first += 2 * threads) {
    const std::size_t i = first + lane, j = i + threads;
    const unsigned int here = i < number ? words[i] : 0, there = j < number ? words[j] : 0;
#pragma unroll
    for (unsigned shift = 0; shift < 32; shift += 8) {
      count(here >> shift & 255, i < number);
      count(there >> shift & 255, j < number);
    }
  }
  const std::size_t tail = head + number * 4 + thread;
  count(thread < head ? data[thread] : 0, thread < head);
  count(tail < length ? data[tail] : 0, tail < length);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    if (counts[bin] > 0) atomicAdd(histo + bin, counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 32 - 1) / (block_size * 32);
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
