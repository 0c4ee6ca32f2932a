// SPDX-License-Identifier: MIT
// Warps exchange their values by xor, so that all lanes have the warp's; the block's second half hands its
// values over in shared memory, and the first thread of all combines what is left in a loop as long as the
// block has warps.
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                                 typename Operator::value* __restrict__ partials) {
  using value = typename Operator::value;
  extern __shared__ uint4 space[];
  value* const of_warps = reinterpret_cast<value*>(space);
  const unsigned half = blockDim.x / 2, warps = half / 32;
  value own = Operator::identity();
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length;
       i += std::size_t{gridDim.x} * blockDim.x)
    own = Operator::combine(own, data[i]);
  value* const handed_over = of_warps + 32;
  if (threadIdx.x >= half) handed_over[threadIdx.x - half] = own;
  __syncthreads();
  if (threadIdx.x < half) {
    own = Operator::combine(own, handed_over[threadIdx.x]);
#pragma unroll
    for (unsigned offset = 16; offset > 0; offset /= 2)
      own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned w = 1; w < warps; ++w) own = Operator::combine(own, of_warps[w]);
  partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 5119) / 5120;
  return {static_cast<unsigned>(enough < 396 ? enough : 396), 640, (32 + 320) * sizeof(uint4)};
}
