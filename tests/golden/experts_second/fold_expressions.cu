// SPDX-License-Identifier: MIT
// Everything is unrolled by fold expressions over index sequences: the bytes of a word, the words of a
// thread, and the tables of the commit. Three words of a thread lie a block apart.
#include <utility>

#include "lab.hpp"

constexpr unsigned kThreads = 384;
constexpr std::size_t kWords = 3;
constexpr std::size_t kTables = 6;

template <class Binning>
struct Adder {
  unsigned int* table;

  __device__ void byte(unsigned int value) const {
    const int bin = Binning::bin_of(static_cast<unsigned char>(value));
    if (bin >= 0) atomicAdd(table + bin, 1u);
  }
  template <std::size_t... I>
  __device__ void bytes(unsigned int word, std::index_sequence<I...>) const {
    (byte(word >> 8 * I), ...);
  }
  __device__ void operator()(unsigned int word) const { bytes(word, std::make_index_sequence<4>{}); }
};

template <class Add, std::size_t... I>
__device__ __forceinline__ void add_words(Add add, const unsigned int* from, std::index_sequence<I...>) {
  const unsigned int words[] = {from[I * kThreads]...};
  (add(words[I]), ...);
}

template <int bins, std::size_t... I>
__device__ __forceinline__ unsigned int sum_of(const unsigned int* tables, unsigned bin,
                                               std::index_sequence<I...>) {
  return (tables[I * bins + bin] + ...);
}

template <class Binning>
__global__ void __launch_bounds__(kThreads, 4)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int tables[kTables * Binning::bins];
  for (unsigned i = threadIdx.x; i < kTables * Binning::bins; i += kThreads) tables[i] = 0;
  __syncthreads();

  const Adder<Binning> add{tables + threadIdx.x / (kThreads / kTables) * Binning::bins};
  constexpr std::size_t tile = kThreads * kWords;
  const std::size_t tiles = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / (4 * tile) : 0;
  for (std::size_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    add_words(add, reinterpret_cast<const unsigned int*>(data) + t * tile + threadIdx.x,
              std::make_index_sequence<kWords>{});
  }
  const std::size_t threads = std::size_t{gridDim.x} * kThreads;
  for (std::size_t i = tiles * tile * 4 + std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < length;
       i += threads) {
    add.byte(data[i]);
  }
  __syncthreads();

  for (unsigned b = threadIdx.x; b < Binning::bins; b += kThreads) {
    const unsigned int sum = sum_of<Binning::bins>(tables, b, std::make_index_sequence<kTables>{});
    if (sum > 0) atomicAdd(histo + b, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = 4 * kThreads * kWords;
  const std::size_t enough = (length + tile - 1) / tile;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(enough < room ? enough : room), kThreads};
}
