// SPDX-License-Identifier: MIT
// Four tables for the lanes of a quad; a thread adds four bins of all tables at a time, as vectors.
#include "lab.hpp"

constexpr unsigned kTables = 4, kThreads = 256;

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned pitch = (Binning::bins + 3) / 4 * 4;
  __shared__ __align__(16) unsigned int tables[kTables][pitch];
  for (unsigned i = threadIdx.x; i < kTables * pitch / 4; i += kThreads)
    reinterpret_cast<uint4*>(tables)[i] = make_uint4(0, 0, 0, 0);
  __syncthreads();
  unsigned int* const own = tables[threadIdx.x % kTables];
  const std::size_t step = std::size_t{gridDim.x} * kThreads * 2;
  for (std::size_t i = (std::size_t{blockIdx.x} * kThreads + threadIdx.x) * 2; i < length; i += step) {
    const int first = Binning::bin_of(data[i]);
    if (first >= 0) atomicAdd(&own[first], 1u);
    if (i + 1 >= length) break;
    const int second = Binning::bin_of(data[i + 1]);
    if (second >= 0) atomicAdd(&own[second], 1u);
  }
  __syncthreads();
  for (unsigned quad = threadIdx.x; quad < pitch / 4; quad += kThreads) {
    uint4 sum = reinterpret_cast<const uint4*>(tables[0])[quad];
#pragma unroll
    for (unsigned t = 1; t < kTables; ++t) {
      const uint4 more = reinterpret_cast<const uint4*>(tables[t])[quad];
      sum.x += more.x, sum.y += more.y, sum.z += more.z, sum.w += more.w;
    }
    const unsigned int counts[4] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (counts[k] > 0) atomicAdd(&histo[quad * 4 + k], counts[k]);
  }
}

LaunchShape launch_shape(std::size_t length) { return {100, kThreads}; }
