// SPDX-License-Identifier: MIT
// Lab 05, contiguous: each thread counts several neighbouring bytes. (PMPP, figures 9.11, 9.12)
//
// The private copy in shared memory is that of lab 04. The grid no longer grows with the input: whatever it is, every
// byte must be counted once.
#include "lab.hpp"

constexpr std::size_t bytes_per_piece = 16;  // neighbouring bytes that a thread counts before it moves on

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
  // TODO 3: let thread t begin with bytes t * C to t * C + C - 1, C being bytes_per_piece, and take further pieces as
  //         long as they are whole. Load all bytes of a piece before you count the first.
  // <solution>
  std::size_t begin = thread * bytes_per_piece;
  for (; begin + bytes_per_piece <= length; begin += threads * bytes_per_piece) {
    unsigned char bytes[bytes_per_piece];
    for (std::size_t k = 0; k < bytes_per_piece; ++k) bytes[k] = data[begin + k];
    for (const unsigned char byte : bytes) {
      const int bin = Binning::bin_of(byte);
      if (bin >= 0) atomicAdd(&counts[bin], 1u);
    }
  }
  // </solution>
  // TODO 4: count the bytes of the last piece, if it is shorter.
  // <solution>
  for (std::size_t i = begin; i < length; ++i) {
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
  // TODO 6: launch eight times as many blocks as the device can hold at a time, fewer if the input has fewer pieces.
  // <solution>
  constexpr unsigned block = 256;
  const std::size_t enough = (length + block * bytes_per_piece - 1) / (block * bytes_per_piece);
  constexpr std::size_t rounds = 8;  // where a block ends early the next takes its place
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < rounds * resident ? enough : rounds * resident), block};
  // </solution> return {1, 1};
}
