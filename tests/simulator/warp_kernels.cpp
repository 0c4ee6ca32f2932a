// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

namespace {

unsigned rank() { return blockIdx.x * blockDim.x + threadIdx.x; }
unsigned lane() { return threadIdx.x % warpSize; }

}  // namespace

template <class T>
__global__ void shuffle(Shuffle kind, unsigned mask, int argument, int width, const T* in, T* out) {
  if (!(mask >> lane() & 1)) return;
  const T value = in[rank()];
  const auto delta = static_cast<unsigned>(argument);
  switch (kind) {
    case Shuffle::index:
      out[rank()] = __shfl_sync(mask, value, argument, width);
      break;
    case Shuffle::up:
      out[rank()] = __shfl_up_sync(mask, value, delta, width);
      break;
    case Shuffle::down:
      out[rank()] = __shfl_down_sync(mask, value, delta, width);
      break;
    case Shuffle::exclusive_or:
      out[rank()] = __shfl_xor_sync(mask, value, argument, width);
      break;
  }
}
template __global__ void shuffle(Shuffle, unsigned, int, int, const int*, int*);
template __global__ void shuffle(Shuffle, unsigned, int, int, const unsigned*, unsigned*);
template __global__ void shuffle(Shuffle, unsigned, int, int, const long long*, long long*);
template __global__ void shuffle(Shuffle, unsigned, int, int, const unsigned long long*, unsigned long long*);
template __global__ void shuffle(Shuffle, unsigned, int, int, const float*, float*);
template __global__ void shuffle(Shuffle, unsigned, int, int, const double*, double*);

__global__ void vote(unsigned mask, const int* predicates, Votes* out) {
  if (!(mask >> lane() & 1)) return;
  const int predicate = predicates[rank()];
  Votes& votes = out[rank()];
  votes.ballot = __ballot_sync(mask, predicate);
  votes.any = __any_sync(mask, predicate);
  votes.all = __all_sync(mask, predicate);
}

__global__ void vote_after_return(unsigned returning, unsigned* out) {
  if (lane() < returning) return;
  out[rank()] = __ballot_sync(0xffffffffu, 1);
}

template <class T>
__global__ void match_any(unsigned mask, const T* in, unsigned* out) {
  if (!(mask >> lane() & 1)) return;
  out[rank()] = __match_any_sync(mask, in[rank()]);
}

template <class T>
__global__ void match_all(unsigned mask, const T* in, unsigned* out, int* predicates) {
  if (!(mask >> lane() & 1)) return;
  out[rank()] = __match_all_sync(mask, in[rank()], &predicates[rank()]);
}

#define INSTANTIATE(T)                                               \
  template __global__ void match_any(unsigned, const T*, unsigned*); \
  template __global__ void match_all(unsigned, const T*, unsigned*, int*);
INSTANTIATE(int)
INSTANTIATE(unsigned)
INSTANTIATE(long long)
INSTANTIATE(unsigned long long)
INSTANTIATE(float)
INSTANTIATE(double)

__global__ void reduce(unsigned mask, const unsigned* in, Reductions* out) {
  if (!(mask >> lane() & 1)) return;
  const unsigned value = in[rank()];
  const int with_sign = static_cast<int>(value);
  Reductions& result = out[rank()];
  result.add = __reduce_add_sync(mask, value);
  result.min = __reduce_min_sync(mask, value);
  result.max = __reduce_max_sync(mask, value);
  result.bitwise_and = __reduce_and_sync(mask, value);
  result.bitwise_or = __reduce_or_sync(mask, value);
  result.bitwise_xor = __reduce_xor_sync(mask, value);
  result.add_signed = __reduce_add_sync(mask, with_sign);
  result.min_signed = __reduce_min_sync(mask, with_sign);
  result.max_signed = __reduce_max_sync(mask, with_sign);
}

__global__ void work_in_branches(unsigned odd, Branch* out) {
  Branch& result = out[rank()];
  if (odd >> lane() & 1) {
    result.ballot = __ballot_sync(odd, lane() % 2);
    result.first_value = __shfl_sync(odd, lane() + 100, __ffs(static_cast<int>(odd)) - 1);
    result.sum = __reduce_add_sync(odd, lane());
    result.active = __activemask();
  } else {
    result.sum = __reduce_add_sync(~odd, lane());
    result.first_value = __shfl_sync(~odd, lane() + 200, __ffs(static_cast<int>(~odd)) - 1);
    result.ballot = __ballot_sync(~odd, lane() % 3 == 0);
    result.active = __activemask();
  }
}

__global__ void active_mask(unsigned* out) { out[rank()] = __activemask(); }

__global__ void active_mask_after_loop(unsigned* out) {
  volatile unsigned rounds = 0;
  while (rounds < lane()) rounds = rounds + 1;
  out[rank()] = __activemask();
}

__global__ void active_mask_behind_branch(unsigned* out) {
  unsigned value = lane();
  if (lane() % 2) {
    value = __shfl_sync(0xaaaaaaaau, value, 1);
    value += static_cast<unsigned>(__popc(static_cast<int>(__activemask())));
  }
  out[threadIdx.x] = __activemask();
  out[blockDim.x + threadIdx.x] = value;
}

__global__ void count_alike(bool legal, const unsigned* keys, unsigned* counts) {
  const unsigned key = keys[threadIdx.x];
  for (bool done = false; !done;) {
    const unsigned here = __activemask();
    const unsigned first = __shfl_sync(here, key, __ffs(static_cast<int>(here)) - 1);
    if (key == first) {
      const unsigned alike = __activemask();
      const unsigned leader = static_cast<unsigned>(__ffs(static_cast<int>(alike)) - 1);
      if (lane() == leader)
        atomicAdd(&counts[key], static_cast<unsigned>(__popc(static_cast<int>(legal ? alike : here))));
      done = true;
    }
  }
}

__global__ void pass_on_through_syncwarp(unsigned* out) {
  __shared__ unsigned values[128];
  unsigned value = threadIdx.x;
  const unsigned first = threadIdx.x - lane();
  for (int round = 0; round < 2; ++round) {
    values[threadIdx.x] = value;
    __syncwarp();
    value = values[first + (lane() + 1) % 32];
    __syncwarp();
  }
  out[rank()] = value;
}

__global__ void syncwarp_of_halves(unsigned* out) {
  __shared__ unsigned values[32];
  const unsigned half = lane() / 16 * 16, mask = 0xffffu << half;
  values[lane()] = lane();
  if (half == 0) {
    __syncwarp(mask);
    out[rank()] = values[(lane() + 1) % 16];
  } else {
    __syncwarp(mask);
    out[rank()] = 100 + values[16 + (lane() + 1) % 16];
  }
}

__global__ void foreign_mask(unsigned caller, unsigned* out) {
  if (threadIdx.x == caller) {
    out[rank()] = __ballot_sync(~(1u << lane()), 1);
  } else {
    out[rank()] = 1;
  }
}

__global__ void foreign_masks(unsigned operation, unsigned* out) {
  constexpr unsigned others = 0xfffffffe;
  const unsigned value = out[0];
  int predicate = 0;
  switch (operation) {
    case 0:
      __syncwarp(others);
      break;
    case 1:
      out[0] = __shfl_sync(others, value, 3);
      break;
    case 2:
      out[0] = __shfl_up_sync(others, value, 3);
      break;
    case 3:
      out[0] = __shfl_sync(others, value, 4);
      break;
    case 4:
      out[0] = __match_any_sync(others, value);
      break;
    case 5:
      out[0] = __match_all_sync(others, value, &predicate);
      break;
    default:
      out[0] = __reduce_add_sync(others, value);
      break;
  }
  out[0] = 1;
}
