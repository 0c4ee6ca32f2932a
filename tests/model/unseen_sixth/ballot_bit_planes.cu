// SPDX-License-Identifier: MIT
// A warp turns 32 bins into bit planes with votes. Each lane owns the bins lane, lane + 32, ... and finds out
// with ands of the planes how many lanes have them: counters in registers, no atomics while counting. 192
// threads, 4 bytes a load.
#include "lab.hpp"

constexpr unsigned full_warp = 0xffffffffu;
constexpr unsigned block_threads = 192;

template <class Binning>
struct Planes {
  static constexpr int groups = (Binning::bins + 31) / 32;
  unsigned int own[groups] = {};

  __device__ __forceinline__ void count(int bin, unsigned lane) {
    unsigned int low = __ballot_sync(full_warp, bin >= 0);
#pragma unroll
    for (int bit = 0; bit < 5; ++bit) {
      const unsigned int plane = __ballot_sync(full_warp, bin >> bit & 1);
      low &= lane >> bit & 1 ? plane : ~plane;
    }
    if constexpr (groups == 1) {
      own[0] += __popc(low);
    } else {
      const unsigned int plane5 = __ballot_sync(full_warp, bin & 32);
      const unsigned int plane6 = __ballot_sync(full_warp, bin & 64);
      const unsigned int plane7 = __ballot_sync(full_warp, bin & 128);
#pragma unroll
      for (int group = 0; group < groups; ++group) {
        unsigned int has = low & (group & 1 ? plane5 : ~plane5);
        has &= group & 2 ? plane6 : ~plane6;
        has &= group & 4 ? plane7 : ~plane7;
        own[group] += __popc(has);
      }
    }
  }
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32;
  const std::size_t first =
      std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane;  // the warp's first thread
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 4 / 32 * 32 : 0;
  Planes<Binning> planes;
  for (std::size_t w = first; w < words; w += threads) {
    const unsigned int word = reinterpret_cast<const unsigned int*>(data)[w + lane];
    planes.count(Binning::bin_of(word & 0xff), lane);
    planes.count(Binning::bin_of(word >> 8 & 0xff), lane);
    planes.count(Binning::bin_of(word >> 16 & 0xff), lane);
    planes.count(Binning::bin_of(word >> 24), lane);
  }
  for (std::size_t i = words * 4 + first; i < length; i += threads) {
    planes.count(i + lane < length ? Binning::bin_of(data[i + lane]) : -1, lane);
  }

#pragma unroll
  for (int group = 0; group < Planes<Binning>::groups; ++group) {
    const unsigned bin = group * 32 + lane;
    if (bin < Binning::bins && planes.own[group] > 0) atomicAdd(&counts[bin], planes.own[group]);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = length / (block_threads * 16) + 1;
  const std::size_t resident =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_threads);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block_threads};
}
