// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

namespace {

unsigned rank() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Shared memory of a function that a kernel calls.
__device__ unsigned neighbour_of(unsigned value) {
  __shared__ unsigned values[64];
  values[threadIdx.x] = value;
  __syncthreads();
  return values[(threadIdx.x + 1) % blockDim.x];
}

}  // namespace

__global__ void read_fresh_shared(unsigned* out) {
  __shared__ unsigned values[64];
  out[rank()] = values[threadIdx.x];
  values[threadIdx.x] = 7;
}

__global__ void take_forty_kibi(unsigned* out) {
  __shared__ unsigned words[10 * 1024];
  __shared__ bool flags[3];
  words[threadIdx.x] = rank();
  if (threadIdx.x < 3) flags[threadIdx.x] = true;
  __syncthreads();
  out[rank()] = flags[threadIdx.x % 3] ? words[(threadIdx.x + 1) % blockDim.x] : 0;
}

template <int count>
__global__ void sum_in_template(unsigned* out) {
  __shared__ unsigned values[count];
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) values[i] = i + 1;
  __syncthreads();
  if (threadIdx.x > 0) return;
  unsigned sum = 0;
  for (unsigned value : values) sum += value;
  out[blockIdx.x] = sum;
}
template __global__ void sum_in_template<10>(unsigned*);
template __global__ void sum_in_template<1000>(unsigned*);

__global__ void share_through_function(unsigned* out) { out[rank()] = neighbour_of(10 * threadIdx.x); }

__global__ void write_words_read_bytes(unsigned* out) {
  extern __shared__ unsigned words[];
  extern __shared__ unsigned char bytes[];
  words[threadIdx.x] = 0x01020304u + threadIdx.x;
  __syncthreads();
  out[rank()] = bytes[4 * threadIdx.x] + 256u * bytes[4 * threadIdx.x + 3];
}

template <class T>
__global__ void dynamic_in_template(T* out) {
  extern __shared__ unsigned char bytes[];
  T* const values = reinterpret_cast<T*>(bytes);
  values[threadIdx.x] = static_cast<T>(threadIdx.x) / 2;
  __syncthreads();
  out[rank()] = values[blockDim.x - 1 - threadIdx.x];
}
template __global__ void dynamic_in_template(float*);
template __global__ void dynamic_in_template(double*);

__global__ void dynamic_beside_static(unsigned* out) {
  __shared__ unsigned fixed[64];
  extern __shared__ unsigned words[];
  fixed[threadIdx.x] = threadIdx.x;
  words[threadIdx.x] = 1000;
  __syncthreads();
  out[rank()] = fixed[threadIdx.x] + words[threadIdx.x];
}

__global__ void read_fresh_dynamic(unsigned* out) {
  extern __shared__ unsigned words[];
  out[rank()] = words[threadIdx.x];
  words[threadIdx.x] = 7;
}

__global__ void shared_addresses(SharedAddresses* out) {
  __shared__ unsigned char first;
  __shared__ unsigned char second[3];
  extern __shared__ unsigned words[];
  extern __shared__ unsigned char bytes[];
  *out = {&first, &second, words, bytes};
}

namespace {

__device__ unsigned done(FirstDeed deed, unsigned* word) {
  switch (deed) {
    case FirstDeed::exchange:
      return atomicExch(word, 3u);
    case FirstDeed::and_zero:
      return atomicAnd(word, 0u);
    case FirstDeed::or_all:
      return atomicOr(word, ~0u);
    case FirstDeed::min_lowest:
      return atomicMin(word, 0u);
    case FirstDeed::max_highest:
      return atomicMax(word, ~0u);
    default:
      return atomicAnd(word, 1u);
  }
}

// As a kernel does that ignores the results: there the compiler knows the operation.
__device__ void done_for_itself(FirstDeed deed, unsigned* word) {
  if (deed == FirstDeed::exchange) atomicExch(word, 3u);
  if (deed == FirstDeed::and_zero) atomicAnd(word, 0u);
  if (deed == FirstDeed::or_all) atomicOr(word, ~0u);
  if (deed == FirstDeed::min_lowest) atomicMin(word, 0u);
  if (deed == FirstDeed::max_highest) atomicMax(word, ~0u);
  if (deed == FirstDeed::and_one) atomicAnd(word, 1u);
}

}  // namespace

__global__ void overwrite_shared(FirstDeed deed, bool uses_result, unsigned* out) {
  __shared__ unsigned words[32];
  if (uses_result) {
    out[threadIdx.x] = done(deed, &words[threadIdx.x]);
  } else {
    done_for_itself(deed, &words[threadIdx.x]);
  }
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x];
}

__global__ void load_shared_as_global(unsigned* out) {
  __shared__ unsigned words[32];
  words[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = __ldcg(out + threadIdx.x) + __ldcg(words + threadIdx.x);
}

__global__ void store_shared_as_global(unsigned* out) {
  __shared__ unsigned words[32];
  __stcg(out + threadIdx.x, 7u);
  __stcg(words + threadIdx.x, 7u);
  out[threadIdx.x] = words[threadIdx.x];
}
