// SPDX-License-Identifier: MIT
// Honest: a class with virtual functions, made in the kernel.
#include "lab.hpp"

struct Rule {
  __device__ virtual void apply(unsigned int* counter) const = 0;
};
struct Counted : Rule {
  __device__ void apply(unsigned int* counter) const override { atomicAdd(counter, 1); }
};
struct Ignored : Rule {
  __device__ void apply(unsigned int*) const override {}
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  const Counted counted;
  const Ignored ignored;
  const Rule* const rules[] = {&counted, &ignored};
  rules[bin < 0]->apply(&histo[bin < 0 ? 0 : bin]);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
