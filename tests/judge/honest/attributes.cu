// SPDX-License-Identifier: MIT
// Honest: attributes of the language and the usual ones of compilers.
#include "lab.hpp"

struct alignas(16) Four {
  unsigned int v[4];
};
struct __attribute__((packed, aligned(1))) Packed {
  unsigned char a;
};
[[nodiscard]] __device__ inline __attribute__((always_inline)) int bin(int b) { return b; }
[[maybe_unused]] __device__ static __noinline__ int unused(int a [[maybe_unused]]) { return 0; }
[[deprecated("use bin")]] [[gnu::unused]] __device__ inline int old_bin(int b) { return b; }

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int b = bin(Binning::bin_of(data[i]));
  switch (b < 0) {
    case 0:
      atomicAdd(&histo[b], 1);
      [[fallthrough]];
    default:
      break;
  }
  if (b >= 0) [[likely]] return;
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
