// SPDX-License-Identifier: MIT
// Right: numbers are loaded four at a time where they are aligned to 16 bytes.
// on a GPU: pass
#include "lab.hpp"

template <class Operator>
__device__ typename Operator::value reduce_warp(typename Operator::value own, unsigned lane, unsigned lanes) {
  const unsigned mask = 0xffffffffu >> (32 - lanes);
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const typename Operator::value other = shuffle_down(mask, own, offset);
    if (lane + offset < lanes) own = Operator::combine(own, other);
  }
  return own;
}

template <class Operator>
__device__ typename Operator::value number(unsigned int word) {
  typename Operator::value value;
  memcpy(&value, &word, sizeof(word));
  return value;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  typename Operator::value own = Operator::identity();
  std::size_t begin = thread, end = length;
  if constexpr (sizeof(typename Operator::value) == 4) {
    const std::size_t apart = (16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16 / 4;
    const std::size_t before = apart < length ? apart : length;
    const std::size_t fours = (length - before) / 4;
    const auto* const four = reinterpret_cast<const uint4*>(data + before);
    for (std::size_t i = thread; i < fours; i += threads) {
      const uint4 words = four[i];
      own = Operator::combine(own, number<Operator>(words.x));
      own = Operator::combine(own, number<Operator>(words.y));
      own = Operator::combine(own, number<Operator>(words.z));
      own = Operator::combine(own, number<Operator>(words.w));
    }
    if (thread < before) own = Operator::combine(own, data[thread]);
    begin = before + 4 * fours + thread;
  }
  for (std::size_t i = begin; i < end; i += threads) own = Operator::combine(own, data[i]);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  own = reduce_warp<Operator>(own, lane, min(32u, blockDim.x - warp * 32));
  __shared__ typename Operator::value of_warps[32];
  if (lane == 0) of_warps[warp] = own;
  __syncthreads();
  const unsigned warps = (blockDim.x + 31) / 32;
  if (warp == 0) {
    own = lane < warps ? of_warps[lane] : Operator::identity();
    own = reduce_warp<Operator>(own, lane, min(32u, blockDim.x));
    if (lane == 0) partials[blockIdx.x] = own;
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + 16 * block - 1) / (16 * block);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
