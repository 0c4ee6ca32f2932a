// SPDX-License-Identifier: MIT
// Contiguous shares of some 40 bytes, which differ by one from thread to thread; each is walked by Duff's
// device, a switch into the middle of the unrolled loop.
#include "lab.hpp"

constexpr unsigned share = 40;
constexpr unsigned block_size = 192;

template <class Binning>
__device__ __forceinline__ void count_one(unsigned int* counts, const unsigned char*& from) {
  const int bin = Binning::bin_of(*from++);
  if (bin >= 0) atomicAdd(counts + bin, 1u);
}

template <class Binning>
__device__ void count_share(unsigned int* counts, const unsigned char* from, unsigned n) {
  if (n == 0) return;
  unsigned turns = (n + 7) / 8;
  switch (n % 8) {
    case 0:
      do {
        count_one<Binning>(counts, from);
        [[fallthrough]];
        case 7:
          count_one<Binning>(counts, from);
          [[fallthrough]];
        case 6:
          count_one<Binning>(counts, from);
          [[fallthrough]];
        case 5:
          count_one<Binning>(counts, from);
          [[fallthrough]];
        case 4:
          count_one<Binning>(counts, from);
          [[fallthrough]];
        case 3:
          count_one<Binning>(counts, from);
          [[fallthrough]];
        case 2:
          count_one<Binning>(counts, from);
          [[fallthrough]];
        case 1:
          count_one<Binning>(counts, from);
      } while (--turns > 0);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t each = length / threads, longer = length % threads;
  const std::size_t begin = thread * each + (thread < longer ? thread : longer);
  count_share<Binning>(counts, data + begin, static_cast<unsigned>(each + (thread < longer)));
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int count = counts[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = std::size_t{share} * block_size;
  return {static_cast<unsigned>((length + of_block - 1) / of_block), block_size};
}
