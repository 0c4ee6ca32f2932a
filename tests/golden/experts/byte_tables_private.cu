// SPDX-License-Identifier: MIT
// Each of 128 threads owns a table of one-byte counters in shared memory: no atomics while counting, at most 255 bytes
// a thread between two flushes.
#include "lab.hpp"

constexpr int THREAD_N = 128;
constexpr int BYTES_PER_ROUND = 252;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  // [bin][thread], four threads a word
  __shared__ unsigned int words[Binning::bins * THREAD_N / 4];
  unsigned char* table = reinterpret_cast<unsigned char*>(words);

  // Threads of one warp get slots in different words: slots of a word belong to four different warps.
  const int slot = (threadIdx.x & 31) * 4 + (threadIdx.x >> 5);

  const std::size_t round_bytes = std::size_t(THREAD_N) * BYTES_PER_ROUND;
  for (std::size_t base = blockIdx.x * round_bytes; base < length; base += gridDim.x * round_bytes) {
    for (int i = threadIdx.x; i < Binning::bins * THREAD_N / 4; i += THREAD_N) words[i] = 0;
    __syncthreads();

    const std::size_t end = length - base < round_bytes ? length : base + round_bytes;
    for (std::size_t i = base + threadIdx.x; i < end; i += THREAD_N) {
      const int bin = Binning::bin_of(data[i]);
      if (bin >= 0) table[bin * THREAD_N + slot]++;
    }
    __syncthreads();

    // Sum a row of 128 byte counters, four at a time.
    for (int bin = threadIdx.x; bin < Binning::bins; bin += THREAD_N) {
      unsigned int even = 0, odd = 0;
      for (int w = 0; w < THREAD_N / 4; ++w) {
        const unsigned int four = words[bin * (THREAD_N / 4) + ((w + threadIdx.x) & (THREAD_N / 4 - 1))];
        even += four & 0x00ff00ffu;
        odd += (four >> 8) & 0x00ff00ffu;
      }
      const unsigned int sum = (even & 0xffffu) + (even >> 16) + (odd & 0xffffu) + (odd >> 16);
      if (sum) atomicAdd(histo + bin, sum);
    }
    __syncthreads();
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t round_bytes = std::size_t(THREAD_N) * BYTES_PER_ROUND;
  const std::size_t rounds = (length + round_bytes - 1) / round_bytes;
  const std::size_t most = std::size_t{multiprocessors()} * 6;
  return {static_cast<unsigned>(rounds < most ? rounds : most), THREAD_N};
}
