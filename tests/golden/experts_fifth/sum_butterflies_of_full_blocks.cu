// SPDX-License-Identifier: MIT
// Blocks of 1024: every warp folds by a butterfly of __shfl_xor_sync, word by word, and the first warp folds
// the 32 sums by another one. Four accumulators, unrolled by hand.
#include <cuda/std/array>
#include <cuda/std/bit>

#include "lab.hpp"

constexpr unsigned kBlock = 1024;

template <class T>
__device__ T exchange(const T& v, int mask) {
  using Words = cuda::std::array<unsigned, sizeof(T) / sizeof(unsigned)>;
  Words words = cuda::std::bit_cast<Words>(v);
#pragma unroll
  for (unsigned k = 0; k < sizeof(T) / sizeof(unsigned); ++k)
    words[k] = __shfl_xor_sync(0xffffffff, words[k], mask);
  return cuda::std::bit_cast<T>(words);
}

template <class Operator, class T>
__device__ void butterfly(T& v) {
  v = Operator::combine(v, exchange(v, 16));
  v = Operator::combine(v, exchange(v, 8));
  v = Operator::combine(v, exchange(v, 4));
  v = Operator::combine(v, exchange(v, 2));
  v = Operator::combine(v, exchange(v, 1));
}

template <class Operator>
__global__ void __launch_bounds__(kBlock)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using T = typename Operator::value;
  __shared__ T sums[32];
  const std::size_t step = std::size_t{gridDim.x} * kBlock;
  std::size_t i = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
  T a = Operator::identity(), b = a, c = a, d = a;
  for (; i + 3 * step < length; i += 4 * step) {
    a = Operator::combine(a, data[i]);
    b = Operator::combine(b, data[i + step]);
    c = Operator::combine(c, data[i + 2 * step]);
    d = Operator::combine(d, data[i + 3 * step]);
  }
  for (; i < length; i += step) a = Operator::combine(a, data[i]);
  T own = Operator::combine(Operator::combine(a, b), Operator::combine(c, d));
  butterfly<Operator>(own);
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (lane == 0) sums[warp] = own;
  __syncthreads();
  if (warp == 0) {
    own = sums[lane];
    butterfly<Operator>(own);
    if (lane == 0) partials[blockIdx.x] = own;
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t grid = length / (kBlock * 8) + 1, most = 2u * multiprocessors();
  return {static_cast<unsigned>(grid < most ? grid : most), kBlock};
}
