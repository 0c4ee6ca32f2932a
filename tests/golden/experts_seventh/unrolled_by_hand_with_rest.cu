// SPDX-License-Identifier: MIT
// The loop is unrolled by hand, four streaming loads of eight bytes a turn, and a second loop takes the words
// that are left. Warps with even and with odd numbers have a table each.
#include "lab.hpp"

constexpr unsigned nthreads = 192;

template <class Binning>
__device__ __forceinline__ void add8(unsigned int* table, unsigned long long eight) {
  const unsigned int low = static_cast<unsigned int>(eight), high = static_cast<unsigned int>(eight >> 32);
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8) {
    const int a = Binning::bin_of(static_cast<unsigned char>(low >> shift));
    const int b = Binning::bin_of(static_cast<unsigned char>(high >> shift));
    if (a >= 0) atomicAdd(table + a, 1u);
    if (b >= 0) atomicAdd(table + b, 1u);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                                 unsigned int* __restrict__ histo) {
  __shared__ unsigned int tables[2 * Binning::bins];
  for (int i = threadIdx.x; i < 2 * Binning::bins; i += nthreads) tables[i] = 0;
  __syncthreads();
  unsigned int* const table = tables + (threadIdx.x / 32 & 1) * Binning::bins;

  const std::size_t id = std::size_t{blockIdx.x} * nthreads + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * nthreads;
  std::size_t peel = (8 - (reinterpret_cast<std::uintptr_t>(data) & 7)) & 7;
  if (peel > length) peel = length;
  const std::size_t n = (length - peel) / 8;
  const unsigned long long* const p = reinterpret_cast<const unsigned long long*>(data + peel);

  std::size_t i = id;
  for (; i + 3 * stride < n; i += 4 * stride) {
    const unsigned long long a = __ldcs(p + i);
    const unsigned long long b = __ldcs(p + i + stride);
    const unsigned long long c = __ldcs(p + i + 2 * stride);
    const unsigned long long d = __ldcs(p + i + 3 * stride);
    add8<Binning>(table, a);
    add8<Binning>(table, b);
    add8<Binning>(table, c);
    add8<Binning>(table, d);
  }
#pragma unroll 1
  for (; i < n; i += stride) add8<Binning>(table, __ldcs(p + i));

  if (id < peel) {
    const int bin = Binning::bin_of(data[id]);
    if (bin >= 0) atomicAdd(table + bin, 1u);
  }
  if (peel + n * 8 + id < length) {
    const int bin = Binning::bin_of(data[peel + n * 8 + id]);
    if (bin >= 0) atomicAdd(table + bin, 1u);
  }
  __syncthreads();

  for (int bin = threadIdx.x; bin < Binning::bins; bin += nthreads) {
    const unsigned int sum = tables[bin] + tables[Binning::bins + bin];
    if (sum != 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + nthreads * 32 - 1) / (nthreads * 32);
  const std::size_t limit = 6 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(blocks < limit ? blocks : limit), nthreads};
}
