// SPDX-License-Identifier: MIT
// Lab 06: each thread adds up equal bins before it issues an atomic. (PMPP, figure 9.15)
//
// Shared counters and the distribution of the bytes over the threads are those of lab 05, interleaved.
#include "lab.hpp"

constexpr std::size_t bytes_under_way = 8;  // that a thread loads before it counts the first of them

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  // TODO 1: prepare the shared counters, and number and count the threads, as in lab 05.
  // <solution>
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  // </solution>
  // TODO 2: remember the bin of the current run, none at first, and how many bytes of it were met.
  // <solution>
  int current = -1;
  unsigned int run = 0;
  // </solution>
  // TODO 3: write what happens for a byte of this thread, given its bin: lengthen the run, or, if another bin begins, add
  //         the run to its counter and start a new one. A function of your own, or a lambda, serves both loops below.
  // <solution>
  const auto meet = [&](int bin) {
    if (bin == current) {
      ++run;
    } else {
      if (current >= 0) atomicAdd(&counts[current], run);
      current = bin;
      run = 1;
    }
  };
  // </solution>
  // TODO 4: go through this thread's bytes as in lab 05: several are loaded before the first is counted, the rest one by
  //         one. Then add the last run too.
  // <solution>
  std::size_t i = thread;
  for (; i + (bytes_under_way - 1) * threads < length; i += bytes_under_way * threads) {
    unsigned char bytes[bytes_under_way];
    for (std::size_t k = 0; k < bytes_under_way; ++k) bytes[k] = data[i + k * threads];
    for (const unsigned char byte : bytes) meet(Binning::bin_of(byte));
  }
  for (; i < length; i += threads) meet(Binning::bin_of(data[i]));
  if (current >= 0) atomicAdd(&counts[current], run);
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
  // TODO 6: launch as in lab 05, interleaved.
  // <solution>
  constexpr unsigned block = 256;
  constexpr std::size_t bytes_per_thread = 16;  // at least, where the input is long enough
  const std::size_t enough = (length + block * bytes_per_thread - 1) / (block * bytes_per_thread);
  constexpr std::size_t rounds = 8;  // where a block ends early the next takes its place
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < rounds * resident ? enough : rounds * resident), block};
  // </solution> return {1, 1};
}
