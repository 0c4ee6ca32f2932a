// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

__global__ void cached_loads(const unsigned* in, const uint4* vectors, unsigned* out) {
  out[0] = __ldg(in);
  out[1] = __ldcs(in + 1);
  out[2] = __ldca(in + 2);
  out[3] = __ldcg(in + 3);
  const uint4 vector = __ldg(vectors + 1);
  out[4] = vector.x + 10 * vector.y + 100 * vector.z + 1000 * vector.w;
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  out[5] = static_cast<unsigned>(warpSize);
}
