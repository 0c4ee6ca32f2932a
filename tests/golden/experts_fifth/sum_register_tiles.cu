// SPDX-License-Identifier: MIT
// Eight elements in registers, folded by a tree in registers; 160 threads, whose sums five leaders and then
// the first thread fold one after another.
#include "lab.hpp"

namespace {

constexpr unsigned block_threads = 160, leaders = 5, items = 8, tile = block_threads * items;

template <class Operator, unsigned n>
__device__ typename Operator::value fold_registers(typename Operator::value (&r)[n]) {
#pragma unroll
  for (unsigned half = n / 2; half > 0; half /= 2) {
#pragma unroll
    for (unsigned k = 0; k < half; ++k) r[k] = Operator::combine(r[k], r[k + half]);
  }
  return r[0];
}

template <class Operator>
__device__ void load(typename Operator::value (&r)[items], const typename Operator::value* data,
                     std::size_t length, std::size_t first) {
  const std::size_t mine = first + threadIdx.x;
  if (first + tile <= length) {
#pragma unroll
    for (unsigned k = 0; k < items; ++k) r[k] = data[mine + k * block_threads];
    return;
  }
  for (unsigned k = 0; k < items; ++k) {
    const std::size_t at = mine + k * block_threads;
    r[k] = at < length ? data[at] : Operator::identity();
  }
}

}  // namespace

template <class Operator>
__global__ void __launch_bounds__(block_threads, 4)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value slots[block_threads];
  value total = Operator::identity();
#pragma unroll 1
  for (std::size_t first = std::size_t{blockIdx.x} * tile; first < length;
       first += std::size_t{gridDim.x} * tile) {
    value r[items];
    load<Operator>(r, data, length, first);
    total = Operator::combine(total, fold_registers<Operator>(r));
  }
  slots[threadIdx.x] = total;
  __syncthreads();
  if (threadIdx.x < leaders) {
    for (unsigned k = threadIdx.x + leaders; k < block_threads; k += leaders)
      total = Operator::combine(total, slots[k]);
    slots[threadIdx.x] = total;
  }
  __syncthreads();
  if (threadIdx.x > 0) return;
#pragma unroll
  for (unsigned k = 1; k < leaders; ++k) total = Operator::combine(total, slots[k]);
  partials[blockIdx.x] = total;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tile - 1) / tile, most = 8u * multiprocessors();
  return {static_cast<unsigned>(tiles == 0 ? 1 : tiles < most ? tiles : most), block_threads};
}
