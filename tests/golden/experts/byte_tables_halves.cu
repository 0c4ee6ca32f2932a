// SPDX-License-Identifier: MIT
// 256 private tables of unsigned char cover 128 bins at a time; a tile is read once for each half of the bins.
#include "lab.hpp"

namespace private_bytes {

constexpr unsigned block = 256;
constexpr unsigned per_thread = 128;  // bytes of a tile that a thread counts; below 256, so no counter overflows
constexpr unsigned half = 128;

template <class Binning>
struct Tables {
  static constexpr unsigned rows = Binning::bins < half ? Binning::bins : half;
  unsigned char count[rows][block];
};

}  // namespace private_bytes

template <class Binning>
__global__ __launch_bounds__(private_bytes::block) void histogram_kernel(const unsigned char* data, std::size_t length,
                                                                       unsigned int* histo) {
  using namespace private_bytes;
  using Own = Tables<Binning>;
  __shared__ Own tables;

  const unsigned t = threadIdx.x;
  const std::size_t tile = std::size_t{blockIdx.x} * (block * per_thread);

  for (unsigned low = 0; low < Binning::bins; low += half) {
    for (unsigned row = 0; row < Own::rows; ++row) tables.count[row][t] = 0;

    for (unsigned k = 0; k < per_thread; ++k) {
      const std::size_t i = tile + k * block + t;
      if (i >= length) break;
      const unsigned row = static_cast<unsigned>(Binning::bin_of(data[i])) - low;  // -1 becomes huge
      if (row < Own::rows) ++tables.count[row][t];
    }
    __syncthreads();

    // Each warp adds up rows: a lane takes eight neighbouring counters, the warp the rest by shuffles.
    for (unsigned row = t / 32; row < Own::rows; row += block / 32) {
      unsigned sum = 0;
      for (unsigned k = 0; k < block; k += 32) sum += tables.count[row][k + t % 32];
      for (int mask = 16; mask; mask >>= 1) sum += __shfl_xor_sync(~0u, sum, mask);
      if (t % 32 == 0 && sum) atomicAdd(&histo[low + row], sum);
    }
    __syncthreads();
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = private_bytes::block * private_bytes::per_thread;
  return {static_cast<unsigned>((length + tile - 1) / tile), private_bytes::block};
}
