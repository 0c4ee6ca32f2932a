// SPDX-License-Identifier: MIT
// Honest: structs handed over and returned by value.
#include "lab.hpp"

struct Job {
  unsigned int* histo;
  int bin;
  unsigned padding[10];
};
__device__ __noinline__ Job made(unsigned int* histo, int bin) { return {histo, bin, {1}}; }
__device__ __noinline__ void run(Job job) {
  if (job.bin >= 0) atomicAdd(&job.histo[job.bin], job.padding[0]);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  const Job job = made(histo, bin);
  run(job);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
