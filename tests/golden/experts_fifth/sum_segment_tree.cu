// SPDX-License-Identifier: MIT
// The block builds a segment tree: node n has the children 2n and 2n + 1, the leaves lie at the end, and the
// root at 1 is the block's sum. The levels of one warp need no barrier of the block.
#include "lab.hpp"

constexpr unsigned leaves = 512;

template <class T, class Operator>
struct SegmentTree {
  T* nodes;
  __device__ void set(unsigned leaf, const T& v) { nodes[leaves + leaf] = v; }
  __device__ void pull(unsigned node) {
    nodes[node] = Operator::combine(nodes[2 * node], nodes[2 * node + 1]);
  }
  __device__ const T& root() const { return nodes[1]; }
};

template <class Operator>
__global__ void __launch_bounds__(leaves)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using T = typename Operator::value;
  __shared__ T nodes[2 * leaves];
  SegmentTree<T, Operator> tree{nodes};

  T v = Operator::identity();
  for (std::size_t i = blockIdx.x * std::size_t{leaves} + threadIdx.x; i < length;
       i += gridDim.x * std::size_t{leaves}) {
    v = Operator::combine(v, data[i]);
  }
  tree.set(threadIdx.x, v);
  __syncthreads();

  unsigned level = leaves / 2;
  for (; level > 32; level /= 2) {
    if (threadIdx.x < level) tree.pull(level + threadIdx.x);
    __syncthreads();
  }
  if (threadIdx.x < 32) {
    for (; level > 0; level /= 2) {
      if (threadIdx.x < level) tree.pull(level + threadIdx.x);
      __syncwarp();
    }
    if (threadIdx.x == 0) partials[blockIdx.x] = tree.root();
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t wanted = (length + leaves * 6 - 1) / (leaves * 6), most = 4u * multiprocessors();
  return {static_cast<unsigned>(wanted == 0 ? 1 : wanted < most ? wanted : most), leaves};
}
