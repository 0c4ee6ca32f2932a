// SPDX-License-Identifier: MIT
// Four values a turn through uint4 loads: one vector for values of four bytes, two for eight, three for
// twelve. Shuffles of words within the warp, and one warp for the rest.
#include <cstring>

#include "lab.hpp"

constexpr int kBlock = 288, kWarps = kBlock / 32;

template <class T>
struct Pack {
  T item[4];
  static constexpr int vectors = sizeof(T) / 4;

  __device__ void load(const uint4* from) {
    uint4 raw[vectors];
#pragma unroll
    for (int k = 0; k < vectors; ++k) raw[k] = __ldg(from + k);
    memcpy(item, raw, sizeof(raw));
  }
};

template <class T>
__device__ T shuffled(const T& v, int lanes) {
  unsigned w[sizeof(T) / 4];
  memcpy(w, &v, sizeof(T));
#pragma unroll
  for (unsigned k = 0; k < sizeof(T) / 4; ++k) w[k] = __shfl_xor_sync(0xffffffffu, w[k], lanes);
  T r;
  memcpy(&r, w, sizeof(T));
  return r;
}

template <class Operator>
__global__ void __launch_bounds__(kBlock)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using T = typename Operator::value;
  __shared__ T sums[kWarps];
  const std::size_t id = std::size_t{blockIdx.x} * kBlock + threadIdx.x,
                    step = std::size_t{gridDim.x} * kBlock;
  const std::size_t packs = reinterpret_cast<std::size_t>(data) % 16 == 0 ? length / 4 : 0;
  const uint4* const vectors = reinterpret_cast<const uint4*>(data);
  T own = Operator::identity();
  for (std::size_t p = id; p < packs; p += step) {
    Pack<T> pack;
    pack.load(vectors + p * Pack<T>::vectors);
    const T left = Operator::combine(pack.item[0], pack.item[1]);
    const T right = Operator::combine(pack.item[2], pack.item[3]);
    own = Operator::combine(own, Operator::combine(left, right));
  }
  for (std::size_t i = packs * 4 + id; i < length; i += step) own = Operator::combine(own, data[i]);
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes >>= 1) own = Operator::combine(own, shuffled(own, lanes));
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x < 32) {
    own = threadIdx.x < kWarps ? sums[threadIdx.x] : Operator::identity();
    for (int lanes = 8; lanes > 0; lanes >>= 1) own = Operator::combine(own, shuffled(own, lanes));
    if (threadIdx.x == 0) partials[blockIdx.x] = own;
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = length / (kBlock * 16) + 1, most = 5 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(blocks < most ? blocks : most), kBlock};
}
