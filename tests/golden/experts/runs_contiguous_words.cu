// SPDX-License-Identifier: MIT
// Runs over words: a thread reads four words that lie together; a word of four equal bytes lengthens the run by four.
#include "lab.hpp"

template <class Binning>
class Run {
 public:
  __device__ explicit Run(unsigned int* counts) : counts_(counts) {}
  __device__ void extend(int bin, unsigned int times) {
    if (bin != bin_) {
      flush();
      bin_ = bin;
      times_ = 0;
    }
    times_ += times;
  }
  __device__ void flush() const {
    if (bin_ >= 0) atomicAdd(&counts_[bin_], times_);
  }

 private:
  unsigned int* counts_;
  int bin_ = -1;
  unsigned int times_ = 0;
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();

  Run<Binning> run(counts);
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  std::size_t rest = 0;
  if (reinterpret_cast<std::uintptr_t>(data) % 16 == 0) {
    const std::size_t vectors = length / 16;
    for (std::size_t v = thread; v < vectors; v += threads) {
      const uint4 four = reinterpret_cast<const uint4*>(data)[v];
      for (const unsigned word : {four.x, four.y, four.z, four.w}) {
        const unsigned first = word & 0xffu;
        if (word == __byte_perm(word, 0, 0x0000)) {
          run.extend(Binning::bin_of(first), 4);
        } else {
          run.extend(Binning::bin_of(first), 1);
          run.extend(Binning::bin_of((word >> 8) & 0xffu), 1);
          run.extend(Binning::bin_of((word >> 16) & 0xffu), 1);
          run.extend(Binning::bin_of(word >> 24), 1);
        }
      }
    }
    rest = vectors * 16;
  }
  for (std::size_t i = rest + thread; i < length; i += threads) run.extend(Binning::bin_of(data[i]), 1);
  run.flush();

  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + block * 16 - 1) / (block * 16);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
