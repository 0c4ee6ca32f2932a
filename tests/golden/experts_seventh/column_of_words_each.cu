// SPDX-License-Identifier: MIT
// Every thread has a whole histogram of its own, a column of words in 128 KiB of dynamic shared memory, and
// counts with plain additions. One block of four warps on each multiprocessor, four vectors under way.
#include "lab.hpp"

constexpr unsigned block_size = 128, batch = 4;

template <class Binning>
__global__ void __launch_bounds__(block_size, 1)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  extern __shared__ uint4 room[];
  unsigned int* const column = reinterpret_cast<unsigned int*>(room) + threadIdx.x;
  for (unsigned k = threadIdx.x; k < Binning::bins * block_size / 4; k += block_size) {
    room[k] = make_uint4(0, 0, 0, 0);
  }
  __syncthreads();
  const auto count = [&](unsigned char byte) {
    const int bin = Binning::bin_of(byte);
    if (bin >= 0) ++column[bin * block_size];
  };
  const auto count_vector = [&](const uint4& vector) {
    const unsigned int words[4] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) count(static_cast<unsigned char>(words[k / 4] >> k % 4 * 8));
  };

  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 15;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t number = (length - head) / 16;
  const uint4* const vectors = reinterpret_cast<const uint4*>(data + head);
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  std::size_t i = thread;
  for (; i + (batch - 1) * threads < number; i += batch * threads) {
    uint4 loaded[batch];
#pragma unroll
    for (unsigned k = 0; k < batch; ++k) loaded[k] = vectors[i + k * threads];
#pragma unroll
    for (unsigned k = 0; k < batch; ++k) count_vector(loaded[k]);
  }
  for (; i < number; i += threads) count_vector(vectors[i]);
  if (thread < head) count(data[thread]);
  if (head + number * 16 + thread < length) count(data[head + number * 16 + thread]);
  __syncthreads();

  // A warp has a row of 128 words, four a lane.
  const unsigned lane = threadIdx.x % 32;
  for (unsigned bin = threadIdx.x / 32; bin < Binning::bins; bin += block_size / 32) {
    const uint4 four = room[bin * (block_size / 4) + lane];
    const unsigned int sum = __reduce_add_sync(0xffffffffu, four.x + four.y + four.z + four.w);
    if (lane == 0 && sum > 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = block_size * batch * sizeof(uint4);
  const std::size_t enough = (length + of_block - 1) / of_block, most = multiprocessors();
  return {static_cast<unsigned>(enough < most ? enough : most), block_size,
          Bytes::bins * block_size * sizeof(unsigned int)};
}
