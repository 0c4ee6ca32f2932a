// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

__global__ void cached_loads(const unsigned* in, const uint4* vectors, unsigned* out) {
  out[0] = __ldg(in);
  out[1] = __ldcs(in + 1);
  out[2] = __ldca(in + 2);
  out[3] = __ldcg(in + 3);
  const uint4 vector = __ldg(vectors + 1);
  out[6] = __ldcv(in + 2);
  out[7] = __ldlu(in + 3);
  __stcg(out + 8, in[0]);
  __stcs(out + 9, in[1]);
  __stwb(out + 10, in[2]);
  __stwt(out + 11, in[3]);
  out[4] = vector.x + 10 * vector.y + 100 * vector.z + 1000 * vector.w;
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  out[5] = static_cast<unsigned>(warpSize);
}

__global__ void tell_spaces(const unsigned* in, unsigned* out) {
  __shared__ unsigned shared[4];
  unsigned local[2] = {in[0], in[1]};
  const void* const addresses[] = {in, &shared[1], &local[1]};
  for (const void* address : addresses)
    *out++ = __isGlobal(address) * 100 + __isShared(address) * 10 + __isLocal(address);
  *out++ = static_cast<unsigned>(__cvta_generic_to_shared(&shared[3]) - __cvta_generic_to_shared(&shared[1]));
  *out++ = __cvta_shared_to_generic(__cvta_generic_to_shared(&shared[1])) == &shared[1];
  *out = __cvta_global_to_generic(__cvta_generic_to_global(in)) == in;
}
