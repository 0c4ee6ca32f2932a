// SPDX-License-Identifier: MIT
// Loads and stores of shared memory, by stride and size, and the patterns that are taught with it: transpose,
// stencil, reduction, scan.
#pragma once

#include "kernel_launch.cuh"

namespace golden {

namespace {

__global__ void transpose_directly(const unsigned* in, unsigned* out, unsigned tiles) {
  const unsigned width = 32 * tiles, column = threadIdx.x % 32;
  const unsigned x = blockIdx.x % tiles * 32 + column, y = blockIdx.x / tiles * 32;
  for (unsigned row = threadIdx.x / 32; row < 32; row += blockDim.x / 32)
    out[x * width + y + row] = in[(y + row) * width + x];
}

// A square of `tiles` times `tiles` tiles, one for each block.
template <unsigned padding>
__global__ void transpose(const unsigned* in, unsigned* out, unsigned tiles) {
  __shared__ unsigned tile[32][32 + padding];
  const unsigned width = 32 * tiles, column = threadIdx.x % 32;
  const unsigned x = blockIdx.x % tiles * 32, y = blockIdx.x / tiles * 32;
  for (unsigned row = threadIdx.x / 32; row < 32; row += blockDim.x / 32)
    tile[row][column] = in[(y + row) * width + x + column];
  __syncthreads();
  for (unsigned row = threadIdx.x / 32; row < 32; row += blockDim.x / 32)
    out[(x + row) * width + y + column] = tile[column][row];
}

// The sum of 7 neighbours, all of whom a block brings into shared memory; beyond `length` there are zeros.
__global__ void stencil(const unsigned* in, unsigned* out, unsigned length) {
  constexpr unsigned radius = 3;
  __shared__ unsigned tile[1024 + 2 * radius];
  const unsigned at = threadIdx.x + radius;
  tile[at] = rank() < length ? in[rank()] : 0;
  if (threadIdx.x < radius) {
    tile[threadIdx.x] = rank() >= radius ? in[rank() - radius] : 0;
    tile[at + blockDim.x] = rank() + blockDim.x < length ? in[rank() + blockDim.x] : 0;
  }
  __syncthreads();
  unsigned sum = 0;
  for (unsigned k = 0; k <= 2 * radius; ++k) sum += tile[threadIdx.x + k];
  if (rank() < length) out[rank()] = sum;
}

__global__ void reduce_interleaved(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned values[1024];
  values[threadIdx.x] = in[rank()];
  __syncthreads();
#pragma unroll 1
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (threadIdx.x % (2 * stride) == 0) values[threadIdx.x] += values[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = values[0];
}

__global__ void reduce_sequential(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned values[1024];
  values[threadIdx.x] = in[rank()];
  __syncthreads();
#pragma unroll 1
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) values[threadIdx.x] += values[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = values[0];
}

__device__ inline unsigned warp_sum(unsigned value) {
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

__global__ void reduce_by_shuffle(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned sums[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned sum = warp_sum(in[rank()]);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (warp > 0) return;
  const unsigned total = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0);
  if (lane == 0) out[blockIdx.x] = total;
}

// Each element becomes the sum of those up to it (Hillis and Steele).
__global__ void scan(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned values[1024];
  values[threadIdx.x] = in[rank()];
  __syncthreads();
#pragma unroll 1
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    const unsigned before = threadIdx.x >= distance ? values[threadIdx.x - distance] : 0;
    __syncthreads();
    values[threadIdx.x] += before;
    __syncthreads();
  }
  out[rank()] = values[threadIdx.x];
}

__global__ void shared_load(const unsigned* in, unsigned* out, unsigned stride) {
  __shared__ unsigned words[4096];
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) words[i] = in[i];
  __syncthreads();
  out[rank()] = words[threadIdx.x * stride % 4096];
}

// Precondition: blockDim.x * stride <= 4096.
__global__ void shared_store(const unsigned* in, unsigned* out, unsigned stride) {
  __shared__ unsigned words[4096];
  words[threadIdx.x * stride] = in[rank()];
  __syncthreads();
  out[rank()] = words[(blockDim.x - 1 - threadIdx.x) * stride];
}

__global__ void shared_load_bytes(const unsigned* in, unsigned* out, unsigned stride) {
  __shared__ unsigned char bytes[4096];
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) bytes[i] = static_cast<unsigned char>(in[i]);
  __syncthreads();
  out[rank()] = bytes[threadIdx.x * stride % 4096];
}

// T: 8 or 16 bytes. Precondition: blockDim.x is a power of two.
template <class T>
__global__ void shared_load_of(const unsigned* in, unsigned* out, unsigned stride) {
  __shared__ T values[1024];
  values[threadIdx.x] = reinterpret_cast<const T*>(in)[rank()];
  __syncthreads();
  reinterpret_cast<T*>(out)[rank()] = values[threadIdx.x * stride & (blockDim.x - 1)];
}

// Two or four words that belong together are cleared, changed and read by one thread.
template <unsigned count>
__global__ void shared_neighbours(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned words[256 * count];
  const unsigned value = in[rank()], own = threadIdx.x * count, other = (threadIdx.x ^ 1) * count;
  words[own] = value;
  words[own + 1] = value + 1;
  if constexpr (count == 4) {
    words[own + 2] = value + 2;
    words[own + 3] = value + 3;
  }
  __syncthreads();
  unsigned sum = words[other] + (words[other + 1] << 1);
  if constexpr (count == 4) sum += (words[other + 2] << 2) + (words[other + 3] << 3);
  out[rank()] = sum;
}

const Kernel shared_memory_kernels[] = {
    {"transpose_directly", 8, &launch<transpose_directly>},
    {"transpose", 8, &launch<transpose<0>>},
    {"transpose_padded", 8, &launch<transpose<1>>},
    {"stencil", 16380, &launch<stencil>},
    {"reduce_interleaved", 0, &launch<reduce_interleaved>},
    {"reduce_sequential", 0, &launch<reduce_sequential>},
    {"reduce_by_shuffle", 0, &launch<reduce_by_shuffle>},
    {"scan", 0, &launch<scan>},
    {"shared_load_0", 0, &launch<shared_load>},
    {"shared_load_1", 1, &launch<shared_load>},
    {"shared_load_2", 2, &launch<shared_load>},
    {"shared_load_4", 4, &launch<shared_load>},
    {"shared_load_8", 8, &launch<shared_load>},
    {"shared_load_32", 32, &launch<shared_load>},
    {"shared_load_33", 33, &launch<shared_load>},
    {"shared_store_2", 2, &launch<shared_store>},
    {"shared_store_16", 16, &launch<shared_store>},
    {"shared_load_bytes_1", 1, &launch<shared_load_bytes>},
    {"shared_load_bytes_64", 64, &launch<shared_load_bytes>},
    {"shared_load_pairs_0", 0, &launch<shared_load_of<uint2>>},
    {"shared_load_pairs_1", 1, &launch<shared_load_of<uint2>>},
    {"shared_load_pairs_2", 2, &launch<shared_load_of<uint2>>},
    {"shared_load_quads_0", 0, &launch<shared_load_of<uint4>>},
    {"shared_load_quads_1", 1, &launch<shared_load_of<uint4>>},
    {"shared_load_quads_2", 2, &launch<shared_load_of<uint4>>},
    {"shared_neighbours_2", 0, &launch<shared_neighbours<2>>},
    {"shared_neighbours_4", 0, &launch<shared_neighbours<4>>},
};

}  // namespace

}  // namespace golden
