// SPDX-License-Identifier: MIT
// Nine tables in dynamic shared memory, each a word longer than a multiple of 32. Which one a byte is counted
// in is decided by chaos: a hash of its position begins a logistic map, of which 24 steps are taken in
// floats. The multiprocessor calculates more than it counts.
#include "lab.hpp"

constexpr unsigned replicas = 9, most_bins = 256;
constexpr int steps = 24;

template <class Binning>
__host__ __device__ constexpr unsigned table_stride() {
  return (Binning::bins + 31) / 32 * 32 + 1;
}

__device__ __forceinline__ unsigned mix(unsigned long long key) {
  unsigned h = static_cast<unsigned>(key) ^ __umulhi(static_cast<unsigned>(key >> 32) + 1u, 0x9e3779b9u);
  h = (h ^ (h >> 15)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12)) * 0x297a2d39u;
  return h ^ (h >> 15);
}

__device__ __forceinline__ unsigned replica_for(std::size_t position) {
  float x = fmaf(__uint2float_rn(mix(position) >> 8), 0x1p-25f, 0.25f);
#pragma unroll 8
  for (int k = 0; k < steps; ++k) x = 3.9f * x * (1.0f - x);
  const float scaled = fminf(fmaxf(x * replicas, 0.0f), replicas - 1.0f);
  return __float2uint_rz(scaled);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                                 unsigned int* __restrict__ histo) {
  extern __shared__ unsigned int tables[];
  constexpr unsigned stride = table_stride<Binning>();
  for (unsigned k = threadIdx.x; k < replicas * stride; k += blockDim.x) tables[k] = 0;
  __syncthreads();

  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    const unsigned replica = replica_for(i);
    if (bin >= 0) atomicAdd(&tables[replica * stride + bin], 1u);
  }

  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned replica = 0; replica < replicas; ++replica) sum += tables[replica * stride + bin];
    if (sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 384;
  constexpr std::size_t shared_bytes = replicas * (most_bins + 1) * sizeof(unsigned int);
  constexpr std::size_t of_block = std::size_t{block} * 12;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block, shared_bytes);
  return {static_cast<unsigned>(enough < most ? enough : most), block, shared_bytes};
}
