// SPDX-License-Identifier: MIT
// Reduction: elements of 4 bytes are loaded four at a time where the data is aligned, into four values of the
// thread that do not wait for each other. Shuffles combine within warps, then the first warp combines the
// warps' values.
#include "lab.hpp"

template <class Value>
struct alignas(4 * sizeof(Value)) Four {
  Value a, b, c, d;
};

template <class Operator>
__device__ __forceinline__ typename Operator::value across_warp(typename Operator::value own) {
#pragma unroll
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  }
  return own;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using Value = typename Operator::value;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;

  Value a = Operator::identity(), b = a, c = a, d = a;
  std::size_t done = 0;
  if constexpr (sizeof(Value) == 4) {
    if (reinterpret_cast<std::uintptr_t>(data) % 16 == 0) {
      const Four<Value>* fours = reinterpret_cast<const Four<Value>*>(data);
      for (std::size_t v = thread; v < length / 4; v += threads) {
        const Four<Value> four = fours[v];
        a = Operator::combine(a, four.a);
        b = Operator::combine(b, four.b);
        c = Operator::combine(c, four.c);
        d = Operator::combine(d, four.d);
      }
      done = length / 4 * 4;
    }
  }
  for (std::size_t i = done + thread; i < length; i += threads) a = Operator::combine(a, data[i]);

  Value own = Operator::combine(Operator::combine(a, b), Operator::combine(c, d));
  own = across_warp<Operator>(own);
  __shared__ Value of_warp[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) of_warp[warp] = own;
  __syncthreads();
  if (warp == 0) {
    own = lane < blockDim.x / 32 ? of_warp[lane] : Operator::identity();
    own = across_warp<Operator>(own);
    if (lane == 0) partials[blockIdx.x] = own;
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  const std::size_t enough = length / (block * 8) + 1;
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
