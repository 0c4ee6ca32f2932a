// SPDX-License-Identifier: MIT
// One block of 1024 threads a multiprocessor. A thread loads the next 16 bytes before it counts these, skips
// through words of four equal bytes at once, and carries its run of equal bins from byte to byte and from
// word to word.
#include "lab.hpp"

template <class Binning>
struct run_of_bins {
  unsigned int* counts;
  int bin = -1;
  unsigned int size = 0;

  __device__ explicit run_of_bins(unsigned int* table) : counts(table) {}

  __device__ __forceinline__ void end() {
    if (bin >= 0) atomicAdd(counts + bin, size);
  }

  __device__ __forceinline__ void meet(unsigned byte, unsigned times) {
    const int next = Binning::bin_of(static_cast<unsigned char>(byte));
    if (next != bin) end();
    size = next == bin ? size + times : times;
    bin = next;
  }

  __device__ __forceinline__ void meet_word(unsigned word) {
    if (word == __byte_perm(word, 0, 0x0000)) {
      meet(word & 0xffu, 4);
    } else {
#pragma unroll
      for (int shift = 0; shift < 32; shift += 8) meet((word >> shift) & 0xffu, 1);
    }
  }
};

template <class Binning>
__global__ void __launch_bounds__(1024, 1)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const std::size_t to_aligned = (16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16;
  const std::size_t head = to_aligned < length ? to_aligned : length;
  const std::size_t quads = (length - head) / 16;
  const uint4* const quad = reinterpret_cast<const uint4*>(data + head);
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;

  run_of_bins<Binning> run(counts);
  uint4 ahead = make_uint4(0, 0, 0, 0);
  if (thread < quads) ahead = quad[thread];
  for (std::size_t i = thread; i < quads; i += threads) {
    const uint4 now = ahead;
    if (i + threads < quads) ahead = quad[i + threads];
    run.meet_word(now.x);
    run.meet_word(now.y);
    run.meet_word(now.z);
    run.meet_word(now.w);
  }
  for (std::size_t i = thread; i < head; i += threads) run.meet(data[i], 1);
  for (std::size_t i = head + quads * 16 + thread; i < length; i += threads) run.meet(data[i], 1);
  run.end();

  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int count = counts[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 1024;
  const std::size_t enough = (length + block * 16 - 1) / (block * 16);
  const std::size_t most = multiprocessors();
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
