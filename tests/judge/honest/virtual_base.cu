// SPDX-License-Identifier: MIT
// Honest: a virtual base class, and a call through it.
#include "lab.hpp"

struct Zero {
  unsigned zero = 0;
  __device__ virtual unsigned amount() const { return zero; }
};
struct One : virtual Zero {
  __device__ unsigned amount() const override { return zero + 1; }
};
struct Two : virtual Zero, One {
  __device__ unsigned amount() const override { return One::amount(); }
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  Two two;
  const One& one = two;
  if (bin >= 0) atomicAdd(&histo[bin], one.amount());
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
