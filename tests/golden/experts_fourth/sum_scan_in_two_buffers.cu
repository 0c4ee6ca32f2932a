// SPDX-License-Identifier: MIT
// An inclusive scan over the block, in two buffers that change places; its last value is the block's.
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using value = typename Operator::value;
  constexpr unsigned block_size = 128;
  __shared__ value buffers[2][block_size];
  const unsigned t = threadIdx.x;
  const std::size_t chunk = (length + gridDim.x - 1) / gridDim.x;
  const std::size_t begin = chunk * blockIdx.x, end = begin + chunk < length ? begin + chunk : length;
  value own = Operator::identity();
  for (std::size_t i = begin + t; i < end; i += block_size) own = Operator::combine(own, data[i]);
  unsigned from = 0;
  buffers[0][t] = own;
  __syncthreads();
  for (unsigned distance = 1; distance < block_size; distance *= 2) {
    value scanned = buffers[from][t];
    if (t >= distance) scanned = Operator::combine(buffers[from][t - distance], scanned);
    buffers[from ^ 1][t] = scanned;
    from ^= 1;
    __syncthreads();
  }
  if (t == block_size - 1) partials[blockIdx.x] = buffers[from][t];
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 2047) / 2048;
  return {static_cast<unsigned>(enough < 400 ? enough : 400), 128};
}
