// SPDX-License-Identifier: MIT
// Function objects, chosen by the number of bins at compile time: counters in registers for a few bins, a
// table for each warp for up to 32, one for the block beyond that.
#include <type_traits>

#include "lab.hpp"

constexpr unsigned kThreads = 256, kWarps = kThreads / 32;

template <int bins>
class InRegisters {
 public:
  static constexpr unsigned tables = 1;
  __device__ explicit InRegisters(unsigned int* table) : table_(table) {}
  __device__ void operator()(int bin) {
#pragma unroll
    for (int b = 0; b < bins; ++b) counts_[b] += bin == b ? 1u : 0u;
  }
  __device__ void finish() {
#pragma unroll
    for (int b = 0; b < bins; ++b) {
      const unsigned int sum = __reduce_add_sync(0xffffffffu, counts_[b]);
      if (threadIdx.x % 32 == 0) atomicAdd(&table_[b], sum);
    }
  }

 private:
  unsigned int* table_;
  unsigned int counts_[bins] = {};
};

template <int bins, unsigned number>
class InTables {
 public:
  static constexpr unsigned tables = number;
  __device__ explicit InTables(unsigned int* table)
      : table_(table + threadIdx.x / (kThreads / number) * bins) {}
  __device__ void operator()(int bin) const {
    if (bin >= 0) atomicAdd(&table_[bin], 1u);
  }
  __device__ void finish() const {}

 private:
  unsigned int* table_;
};

template <int bins>
using Strategy =
    std::conditional_t<(bins <= 8), InRegisters<bins>,
                       std::conditional_t<(bins <= 32), InTables<bins, kWarps>, InTables<bins, 1>>>;

template <class Count>
__device__ __forceinline__ void for_each_byte(const unsigned char* data, std::size_t length, Count&& count) {
  const std::size_t thread = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * kThreads;
  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 4 : 0;
  for (std::size_t w = thread; w < words; w += threads) {
    const uchar4 four = __ldg(reinterpret_cast<const uchar4*>(data) + w);
    for (const unsigned char byte : {four.x, four.y, four.z, four.w}) count(byte);
  }
  for (std::size_t i = words * 4 + thread; i < length; i += threads) count(data[i]);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  using Counter = Strategy<Binning::bins>;
  __shared__ unsigned int tables[Counter::tables * Binning::bins];
  for (unsigned i = threadIdx.x; i < Counter::tables * Binning::bins; i += kThreads) tables[i] = 0;
  __syncthreads();

  Counter counter(tables);
  for_each_byte(data, length, [&](unsigned char byte) { counter(Binning::bin_of(byte)); });
  counter.finish();
  __syncthreads();

  for (unsigned b = threadIdx.x; b < Binning::bins; b += kThreads) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned t = 0; t < Counter::tables; ++t) sum += tables[t * Binning::bins + b];
    if (sum) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + kThreads * 32 - 1) / (kThreads * 32);
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Letters4>, kThreads);
  return {static_cast<unsigned>(enough < room ? enough : room), kThreads};
}
