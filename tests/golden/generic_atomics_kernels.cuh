// SPDX-License-Identifier: MIT
// cuda::atomic_ref, which hands the hardware an address of which it does not say in what memory it lies.
#pragma once

#if defined(__CUDACC__)
#include <cuda/atomic>
#else
#include "simulator/cuda/atomic_ref.hpp"
#endif

#include "kernel_launch.cuh"

namespace golden {

namespace {

template <class T>
using OfDevice = cuda::atomic_ref<T, cuda::thread_scope_device>;
template <class T>
using OfBlock = cuda::atomic_ref<T, cuda::thread_scope_block>;
constexpr auto relaxed = cuda::memory_order_relaxed;

// Words of global memory, every so many of a warp's lanes the same.
__global__ void generic_global_add(const unsigned* in, unsigned* out, unsigned lanes) {
  OfDevice<unsigned>(out[rank() / lanes]).fetch_add(in[rank()], relaxed);
}

__global__ void generic_global_add_by_some(const unsigned* in, unsigned* out, unsigned mask) {
  const unsigned value = in[rank()];
  if ((value & mask) == 0) OfDevice<unsigned>(out[rank()]).fetch_add(value, relaxed);
}

__global__ void generic_global_add_strided(const unsigned* in, unsigned* out, unsigned stride) {
  OfDevice<unsigned>(out[rank() * stride & last]).fetch_add(in[rank()], relaxed);
}

__global__ void generic_global_add_long(const unsigned* in, unsigned* out, unsigned lanes) {
  auto* const longs = reinterpret_cast<unsigned long long*>(out);
  OfDevice<unsigned long long>(longs[rank() / lanes]).fetch_add(in[rank()], relaxed);
}

__global__ void generic_global_exchange(const unsigned* in, unsigned* out, unsigned half) {
  const unsigned before = OfDevice<unsigned>(out[rank()]).exchange(in[rank()], relaxed);
  out[half + rank()] = before;
}

__global__ void generic_global_swap(const unsigned* in, unsigned* out, unsigned half) {
  unsigned expected = 0;
  const bool swapped = OfDevice<unsigned>(out[rank()]).compare_exchange_strong(expected, in[rank()], relaxed);
  out[half + rank()] = swapped ? 1 : expected;
}

__global__ void generic_global_load(const unsigned* in, unsigned* out, unsigned lanes) {
  out[rank()] = OfDevice<unsigned>(const_cast<unsigned&>(in[rank() / lanes])).load(relaxed);
}

__global__ void generic_global_store(const unsigned* in, unsigned* out, unsigned stride) {
  OfDevice<unsigned>(out[rank() * stride & last]).store(in[rank()], relaxed);
}

// Words of shared memory.
__global__ void generic_shared_load(const unsigned* in, unsigned* out, unsigned lanes) {
  __shared__ unsigned words[1024];
  words[threadIdx.x] = in[rank()];
  __syncthreads();
  out[rank()] = OfBlock<unsigned>(words[threadIdx.x / lanes]).load(relaxed);
}

__global__ void generic_shared_store(const unsigned* in, unsigned* out, unsigned stride) {
  __shared__ unsigned words[1024];
  OfBlock<unsigned>(words[threadIdx.x * stride & 1023]).store(in[rank()], relaxed);
  __syncthreads();
  out[rank()] = words[threadIdx.x * stride & 1023];
}

__global__ void generic_shared_add(const unsigned* in, unsigned* out, unsigned mask) {
  __shared__ unsigned words[1024];
  words[threadIdx.x] = 0;
  __syncthreads();
  OfBlock<unsigned>(words[in[rank()] & mask]).fetch_add(1u, relaxed);
  __syncthreads();
  out[rank()] = words[threadIdx.x];
}

__global__ void generic_shared_swap(const unsigned*, unsigned* out, unsigned stride) {
  __shared__ unsigned words[1024];
  words[threadIdx.x] = 0;
  __syncthreads();
  unsigned expected = 0;
  OfBlock<unsigned>(words[threadIdx.x * stride]).compare_exchange_strong(expected, 1, relaxed);
  __syncthreads();
  out[rank()] = words[threadIdx.x];
}

const Kernel generic_atomics_kernels[] = {
    {"generic_global_add_1", 1, &launch<generic_global_add>},
    {"generic_global_add_4", 4, &launch<generic_global_add>},
    {"generic_global_add_32", 32, &launch<generic_global_add>},
    {"generic_global_add_by_some", 7, &launch<generic_global_add_by_some>},
    {"generic_global_add_strided_8", 8, &launch<generic_global_add_strided>},
    {"generic_global_add_strided_33", 33, &launch<generic_global_add_strided>},
    {"generic_global_add_long_1", 1, &launch<generic_global_add_long>},
    {"generic_global_add_long_32", 32, &launch<generic_global_add_long>},
    {"generic_global_exchange", 32768, &launch<generic_global_exchange>},
    {"generic_global_swap", 32768, &launch<generic_global_swap>},
    {"generic_global_load_1", 1, &launch<generic_global_load>},
    {"generic_global_load_32", 32, &launch<generic_global_load>},
    {"generic_global_store_1", 1, &launch<generic_global_store>},
    {"generic_global_store_8", 8, &launch<generic_global_store>},
    {"generic_shared_load_1", 1, &launch<generic_shared_load>},
    {"generic_shared_load_32", 32, &launch<generic_shared_load>},
    {"generic_shared_store_1", 1, &launch<generic_shared_store>},
    {"generic_shared_store_5", 5, &launch<generic_shared_store>},
    {"generic_shared_add", 255, &launch<generic_shared_add>},
    {"generic_shared_swap", 1, &launch<generic_shared_swap>},
};

}  // namespace

}  // namespace golden
