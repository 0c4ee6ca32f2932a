// SPDX-License-Identifier: MIT
// R interleaved copies of each counter, chosen by lane % R, so that equal bytes of a warp spread over R banks.
#include "lab.hpp"

template <int Bins, int Copies>
class Replicated {
 public:
  static constexpr int words = Bins * Copies;

  __device__ explicit Replicated(unsigned int* memory) : memory_(memory), copy_(threadIdx.x % Copies) {}

  __device__ void clear() {
    for (int i = threadIdx.x; i < words; i += blockDim.x) memory_[i] = 0;
  }
  __device__ void add(int bin) { atomicAdd(&memory_[bin * Copies + copy_], 1u); }
  __device__ unsigned int total(int bin) const {
    unsigned int sum = 0;
    // Begin at another copy in each thread: neighbours read different banks.
#pragma unroll
    for (int k = 0; k < Copies; ++k) sum += memory_[bin * Copies + (k + threadIdx.x) % Copies];
    return sum;
  }

 private:
  unsigned int* memory_;
  int copy_;
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  using Table = Replicated<Binning::bins, 8>;
  __shared__ unsigned int memory[Table::words];
  Table table(memory);
  table.clear();
  __syncthreads();

  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = first; i < length; i += std::size_t{gridDim.x} * blockDim.x) {
    const int bin = Binning::bin_of(__ldg(data + i));
    if (bin >= 0) table.add(bin);
  }
  __syncthreads();

  for (int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int n = table.total(bin);
    if (n > 0) atomicAdd(histo + bin, n);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + block * 32 - 1) / (block * 32);
  const std::size_t fits = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < fits ? enough : fits), block};
}
