// SPDX-License-Identifier: MIT
// The block lists where runs of byte values with the same bin begin, and every byte of the input looks for
// its run by bisection in this list, as one would for bins of any width.
#include "lab.hpp"

constexpr unsigned block_size = 256, warps = block_size / 32;  // a thread for each byte value

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[256];  // of each run
  __shared__ int bin_of_run[256];
  __shared__ unsigned int first_of_run[256], starts_of_warp[warps];

  const unsigned value = threadIdx.x, warp = value / 32, lane = value % 32;
  const int bin = Binning::bin_of(static_cast<unsigned char>(value));
  const bool starts = value == 0 || Binning::bin_of(static_cast<unsigned char>(value - 1)) != bin;
  const unsigned int votes = __ballot_sync(0xffffffffu, starts);
  if (lane == 0) starts_of_warp[warp] = __popc(votes);
  counts[value] = 0;
  __syncthreads();
  unsigned place = __popc(votes & ((1u << lane) - 1)), runs = 0;
  for (unsigned k = 0; k < warps; ++k) {
    if (k < warp) place += starts_of_warp[k];
    runs += starts_of_warp[k];
  }
  if (starts) {
    first_of_run[place] = value;
    bin_of_run[place] = bin;
  }
  __syncthreads();

  const auto count = [&](unsigned int byte) {
    unsigned run = 0, behind = runs;
    while (behind - run > 1) {
      const unsigned middle = (run + behind) / 2;
      if (first_of_run[middle] <= byte) {
        run = middle;
      } else {
        behind = middle;
      }
    }
    if (bin_of_run[run] >= 0) atomicAdd(&counts[run], 1u);
  };
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % 4 == 0;
  const std::size_t words = aligned ? length / 4 : 0;
  for (std::size_t i = thread; i < words; i += threads) {
    const unsigned int word = reinterpret_cast<const unsigned int*>(data)[i];
    count(word & 255);
    count(word >> 8 & 255);
    count(word >> 16 & 255);
    count(word >> 24);
  }
  for (std::size_t i = words * 4 + thread; i < length; i += threads) count(data[i]);
  __syncthreads();
  if (value < runs && counts[value] > 0) atomicAdd(&histo[bin_of_run[value]], counts[value]);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 16 - 1) / (block_size * 16);
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
