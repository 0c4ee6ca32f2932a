// SPDX-License-Identifier: MIT
// Lab 05, interleaved: each thread counts several bytes, and in each step the threads of a warp read neighbouring
// ones. (PMPP, figures 9.13, 9.14)
//
// The private copy in shared memory is that of lab 04. The grid no longer grows with the input: whatever it is, every
// byte must be counted once.
#include "lab.hpp"

constexpr std::size_t bytes_under_way = 8;  // that a thread loads before it counts the first of them

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  // TODO 1: prepare the shared counters as in lab 04.
  // <solution>
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  // </solution>
  // TODO 2: number the threads of the whole grid, and count them.
  // <solution>
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  // </solution>
  // TODO 3: let thread t of T count bytes t, t + T, t + 2T, ... as long as there are bytes_under_way of them. Load these
  //         before you count the first.
  // <solution>
  std::size_t i = thread;
  for (; i + (bytes_under_way - 1) * threads < length; i += bytes_under_way * threads) {
    unsigned char bytes[bytes_under_way];
    for (std::size_t k = 0; k < bytes_under_way; ++k) bytes[k] = data[i + k * threads];
    for (const unsigned char byte : bytes) {
      const int bin = Binning::bin_of(byte);
      if (bin >= 0) atomicAdd(&counts[bin], 1u);
    }
  }
  // </solution>
  // TODO 4: count the bytes that are left, one by one.
  // <solution>
  for (; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  // </solution>
  // TODO 5: commit as in lab 04.
  // <solution>
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int count = counts[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
  // </solution>
}

LaunchShape launch_shape(std::size_t length) {
  // TODO 6: launch eight times as many blocks as the device can hold at a time, but give every thread several bytes.
  // <solution>
  constexpr unsigned block = 256;
  constexpr std::size_t bytes_per_thread = 16;  // at least, where the input is long enough
  const std::size_t enough = (length + block * bytes_per_thread - 1) / (block * bytes_per_thread);
  constexpr std::size_t rounds = 8;  // where a block ends early the next takes its place
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < rounds * resident ? enough : rounds * resident), block};
  // </solution> return {1, 1};
}
