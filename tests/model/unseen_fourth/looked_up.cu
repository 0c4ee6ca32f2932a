// SPDX-License-Identifier: MIT
// A table in shared memory says which bin a byte belongs to; bytes that are not counted have a bin of their
// own.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned short bins[256];
  __shared__ unsigned table[Binning::bins + 1];
  for (unsigned byte = threadIdx.x; byte < 256; byte += blockDim.x) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    bins[byte] = static_cast<unsigned short>(bin >= 0 ? bin : Binning::bins);
  }
  for (unsigned bin = threadIdx.x; bin <= Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 4 : 0;
  const unsigned* const all = reinterpret_cast<const unsigned*>(data);
  for (std::size_t w = thread; w < words; w += threads) {
    const unsigned word = all[w];
    for (int shift = 0; shift < 32; shift += 8) atomicAdd(&table[bins[word >> shift & 255]], 1u);
  }
  for (std::size_t i = 4 * words + thread; i < length; i += threads) atomicAdd(&table[bins[data[i]]], 1u);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 4, 512}; }
