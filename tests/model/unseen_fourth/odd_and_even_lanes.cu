// SPDX-License-Identifier: MIT
// Even lanes count bytes one by one, odd lanes words: the two go different ways, and into different tables.
#include "lab.hpp"

constexpr unsigned bytes_of_pair = 20;  // 4 for the even lane, 16 for the odd one

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned table[2][Binning::bins];
  for (unsigned bin = threadIdx.x; bin < 2 * Binning::bins; bin += blockDim.x) (&table[0][0])[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t pairs = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / bytes_of_pair : 0;
  for (std::size_t pair = thread / 2; pair < pairs; pair += threads / 2) {
    const unsigned char* const bytes = data + pair * bytes_of_pair;
    if (thread % 2 == 0) {
      for (unsigned k = 0; k < 4; ++k) {
        const int bin = Binning::bin_of(bytes[k]);
        if (bin >= 0) atomicAdd(&table[0][bin], 1u);
      }
    } else {
      const unsigned* const words = reinterpret_cast<const unsigned*>(bytes + 4);
      for (unsigned w = 0; w < 4; ++w) {
        const unsigned word = words[w];
        for (int shift = 0; shift < 32; shift += 8) {
          const int bin = Binning::bin_of(static_cast<unsigned char>(word >> shift));
          if (bin >= 0) atomicAdd(&table[1][bin], 1u);
        }
      }
    }
  }
  for (std::size_t i = pairs * bytes_of_pair + thread; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[0][bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned count = table[0][bin] + table[1][bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 8, 256}; }
