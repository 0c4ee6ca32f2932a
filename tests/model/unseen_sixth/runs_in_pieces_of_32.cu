// SPDX-License-Identifier: MIT
// A thread takes pieces of 32 neighbouring bytes, loaded as two vectors, and touches the shared table only
// where a run of equal bins ends; a run goes on from one piece of the thread to its next. Blocks of 384.
#include "lab.hpp"

constexpr unsigned block_threads = 384;

struct Run {
  unsigned int* counts;
  int bin = -1;
  unsigned int length = 0;

  __device__ __forceinline__ void end() const {
    if (bin >= 0) atomicAdd(&counts[bin], length);
  }
  __device__ __forceinline__ void add(int next) {
    if (next != bin) {
      end();
      bin = next;
      length = 0;
    }
    ++length;
  }
};

template <class Binning>
__device__ __forceinline__ void add_quad(Run& run, uint4 quad) {
  for (const unsigned int word : {quad.x, quad.y, quad.z, quad.w}) {
    run.add(Binning::bin_of(word & 0xff));
    run.add(Binning::bin_of((word >> 8) & 0xff));
    run.add(Binning::bin_of((word >> 16) & 0xff));
    run.add(Binning::bin_of(word >> 24));
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t pieces = reinterpret_cast<std::uintptr_t>(data) % 16 == 0 ? length / 32 : 0;
  const uint4* quads = reinterpret_cast<const uint4*>(data);
  Run run{counts};
  for (std::size_t piece = thread; piece < pieces; piece += threads) {
    const uint4 front = quads[2 * piece];
    const uint4 back = quads[2 * piece + 1];
    add_quad<Binning>(run, front);
    add_quad<Binning>(run, back);
  }
  for (std::size_t i = pieces * 32 + thread; i < length; i += threads) run.add(Binning::bin_of(data[i]));
  run.end();

  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = length / (block_threads * 32) + 1;
  const std::size_t most =
      std::size_t{8} * multiprocessors() * resident_blocks(histogram_kernel<Bytes>, block_threads);
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
