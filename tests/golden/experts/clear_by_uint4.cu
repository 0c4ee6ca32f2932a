// SPDX-License-Identifier: MIT
// The shared counters are cleared and read back four at a time, as uint4; bytes are counted in a grid-stride loop.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned vectors = (Binning::bins + 3) / 4;
  __shared__ uint4 storage[vectors];
  unsigned int* counts = reinterpret_cast<unsigned int*>(storage);

  for (unsigned v = threadIdx.x; v < vectors; v += blockDim.x) storage[v] = make_uint4(0, 0, 0, 0);
  __syncthreads();

  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
#pragma unroll 4
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += stride) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();

  for (unsigned v = threadIdx.x; v < vectors; v += blockDim.x) {
    const uint4 sum = storage[v];
    if ((sum.x | sum.y | sum.z | sum.w) == 0) continue;
    if (sum.x) atomicAdd(&histo[4 * v + 0], sum.x);
    // The last vector may reach beyond the bins; what lies there was never counted and is zero.
    if (sum.y) atomicAdd(&histo[4 * v + 1], sum.y);
    if (sum.z) atomicAdd(&histo[4 * v + 2], sum.z);
    if (sum.w) atomicAdd(&histo[4 * v + 3], sum.w);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  constexpr unsigned per_thread = 32;
  const std::size_t enough = (length + block * per_thread - 1) / (block * per_thread);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
