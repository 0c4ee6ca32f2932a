// SPDX-License-Identifier: MIT
// Lab 06's runs, over sixteen bytes a load: a run that goes on into the next load is carried over.
#include "lab.hpp"

template <class Binning>
struct Run {
  unsigned int* table;
  int bin = -1;
  unsigned int length = 0;

  __device__ void flush() {
    if (bin >= 0) atomicAdd(&table[bin], length);
    length = 0;
  }
  __device__ void add(unsigned char byte) {
    const int next = Binning::bin_of(byte);
    if (next != bin) {
      flush();
      bin = next;
    }
    ++length;
  }
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int table[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) table[b] = 0;
  __syncthreads();
  Run<Binning> run{table};
  const std::size_t vectors = length / 16;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x,
                    threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t v = thread; v < vectors; v += threads) {
    const uint4 in = reinterpret_cast<const uint4*>(data)[v];
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(&in);
#pragma unroll
    for (int k = 0; k < 16; ++k) run.add(bytes[k]);
  }
  for (std::size_t i = vectors * 16 + thread; i < length; i += threads) run.add(data[i]);
  run.flush();
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (table[b]) atomicAdd(&histo[b], table[b]);
}

LaunchShape launch_shape(std::size_t length) { return {132, 128}; }
