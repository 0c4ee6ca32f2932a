// SPDX-License-Identifier: MIT
// Right: CUDA's own shuffles, for every word of a value, in blocks of whole warps.
#include "lab.hpp"

template <class Operator>
__device__ typename Operator::value butterfly(typename Operator::value own) {
  constexpr unsigned count = sizeof(own) / sizeof(unsigned int);
  for (int other = 16; other > 0; other >>= 1) {
    unsigned int words[count];
    memcpy(words, &own, sizeof(own));
    for (unsigned k = 0; k < count; ++k) words[k] = __shfl_xor_sync(0xffffffff, words[k], other);
    typename Operator::value received;
    memcpy(&received, words, sizeof(own));
    own = Operator::combine(own, received);
  }
  return own;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  typename Operator::value own = Operator::identity();
  for (std::size_t i = thread; i < length; i += threads) own = Operator::combine(own, data[i]);
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  own = butterfly<Operator>(own);
  __shared__ typename Operator::value of_warps[32];
  if (lane == 0) of_warps[warp] = own;
  __syncthreads();
  if (warp != 0) return;
  own = Operator::identity();
  if (lane < blockDim.x / 32) own = of_warps[lane];
  own = butterfly<Operator>(own);
  if (lane == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  const std::size_t enough = (length + 8 * block - 1) / (8 * block);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
