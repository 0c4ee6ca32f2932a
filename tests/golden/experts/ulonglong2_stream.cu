// SPDX-License-Identifier: MIT
// ulonglong2 loads with __ldcs, the two halves shifted out byte by byte; one shared table for each half of the warps.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int bins = Binning::bins;
  __shared__ unsigned int tables[2][bins];
  for (int b = threadIdx.x; b < 2 * bins; b += blockDim.x) (&tables[0][0])[b] = 0;
  __syncthreads();

  unsigned int* mine = tables[(threadIdx.x / 32) & 1];
  const auto add = [mine](unsigned char byte) {
    const int bin = Binning::bin_of(byte);
    if (bin >= 0) atomicAdd(mine + bin, 1u);
  };

  const std::size_t thread = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  const std::size_t threads = gridDim.x * std::size_t{blockDim.x};

  std::size_t rest = 0;
  if (reinterpret_cast<std::uintptr_t>(data) % sizeof(ulonglong2) == 0) {
    const auto* wide = reinterpret_cast<const ulonglong2*>(data);
    const std::size_t whole = length / sizeof(ulonglong2);
    for (std::size_t w = thread; w < whole; w += threads) {
      ulonglong2 v = __ldcs(&wide[w]);
#pragma unroll 1
      for (int k = 0; k < 8; ++k) {
        add(static_cast<unsigned char>(v.x));
        add(static_cast<unsigned char>(v.y));
        v.x >>= 8;
        v.y >>= 8;
      }
    }
    rest = whole * sizeof(ulonglong2);
  }
  for (std::size_t i = rest + thread; i < length; i += threads) add(data[i]);

  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x) {
    const unsigned int sum = tables[0][b] + tables[1][b];
    if (sum > 0) atomicAdd(histo + b, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  const std::size_t need = (length + 16 * block - 1) / (16 * block);
  const std::size_t room = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(need < room ? need : room), block};
}
