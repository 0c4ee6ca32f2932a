// SPDX-License-Identifier: MIT
// The input is read as an array of structs of 48 bytes that are aligned to 16; a thread copies one at a time,
// so that neighbouring threads read 48 bytes apart. Blocks of ten warps, one table each.
#include "lab.hpp"

constexpr unsigned threads_of_block = 320;

struct alignas(16) Piece {
  unsigned char bytes[48];
};

template <class Binning>
__global__ void __launch_bounds__(threads_of_block)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += threads_of_block) table[bin] = 0;
  __syncthreads();

  const std::size_t id = std::size_t{blockIdx.x} * threads_of_block + threadIdx.x;
  const std::size_t all = std::size_t{gridDim.x} * threads_of_block;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % alignof(Piece) == 0;
  const std::size_t pieces = aligned ? length / sizeof(Piece) : 0;
  for (std::size_t i = id; i < pieces; i += all) {
    const Piece piece = reinterpret_cast<const Piece*>(data)[i];
#pragma unroll
    for (const unsigned char byte : piece.bytes) {
      const int bin = Binning::bin_of(byte);
      if (bin >= 0) atomicAdd(&table[bin], 1u);
    }
  }
  for (std::size_t i = pieces * sizeof(Piece) + id; i < length; i += all) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += threads_of_block) {
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough =
      (length + threads_of_block * sizeof(Piece) - 1) / (threads_of_block * sizeof(Piece));
  const std::size_t most = 5 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), threads_of_block};
}
