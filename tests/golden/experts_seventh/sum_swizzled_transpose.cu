// SPDX-License-Identifier: MIT
// A warp loads 256 neighbouring elements and turns them in shared memory, so that each lane combines eight
// that lie side by side; places are swizzled by exclusive or, not padded. The block's tree goes by quarters.
#include "lab.hpp"

constexpr unsigned warps = 4, block_size = warps * 32, row = 8, tile = 32 * row;

__device__ __forceinline__ unsigned place(unsigned element) { return element ^ (element / 32 % row); }

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value tiles[warps][tile];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value* const mine = tiles[warp];
  value own = Operator::identity();

  const std::size_t step = std::size_t{gridDim.x} * warps * tile;
  for (std::size_t begin = (std::size_t{blockIdx.x} * warps + warp) * tile; begin < length; begin += step) {
    value loaded[row];
#pragma unroll
    for (unsigned k = 0; k < row; ++k) {
      const std::size_t at = begin + k * 32 + lane;
      loaded[k] = at < length ? data[at] : Operator::identity();
    }
    __syncwarp();  // all lanes have read what was there before
#pragma unroll
    for (unsigned k = 0; k < row; ++k) mine[place(k * 32 + lane)] = loaded[k];
    __syncwarp();
    value of_row = mine[place(lane * row)];
#pragma unroll
    for (unsigned k = 1; k < row; ++k) of_row = Operator::combine(of_row, mine[place(lane * row + k)]);
    own = Operator::combine(own, of_row);
  }

  __syncthreads();
  value* const values = tiles[0];
  values[threadIdx.x] = own;
#pragma unroll
  for (unsigned quarter = block_size / 4; quarter >= 2; quarter /= 4) {
    __syncthreads();
    if (threadIdx.x < quarter) {
      own = Operator::combine(
          Operator::combine(own, values[threadIdx.x + quarter]),
          Operator::combine(values[threadIdx.x + 2 * quarter], values[threadIdx.x + 3 * quarter]));
      values[threadIdx.x] = own;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) partials[blockIdx.x] = Operator::combine(own, values[1]);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t of_block = warps * tile;
  const std::size_t blocks = (length + of_block - 1) / of_block;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Farthest>, block_size);
  return {static_cast<unsigned>(blocks < most ? blocks : most), block_size};
}
