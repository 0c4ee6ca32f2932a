// SPDX-License-Identifier: MIT
// Loads and stores of global memory: strides, sizes, and places that the input decides.
#pragma once

#include "kernel_launch.cuh"

namespace golden {

namespace {

__global__ void strided_load(const unsigned* in, unsigned* out, unsigned stride) {
  out[rank()] = in[rank() * stride & last];
}

__global__ void strided_store(const unsigned* in, unsigned* out, unsigned stride) {
  out[rank() * stride] = in[rank()];
}

__global__ void shifted_copy(const unsigned* in, unsigned* out, unsigned distance) {
  out[rank() + distance] = in[rank() + distance];
}

// T: 1 to 16 bytes, loaded and stored as one.
template <class T>
__global__ void copy_of(const unsigned* in, unsigned* out, unsigned stride) {
  reinterpret_cast<T*>(out)[rank() * stride] = reinterpret_cast<const T*>(in)[rank() * stride];
}

__global__ void sum_of_pairs(const unsigned* in, unsigned* out, unsigned stride) {
  const uint2 pair = reinterpret_cast<const uint2*>(in)[rank() * stride];
  out[rank()] = pair.x + pair.y;
}

__global__ void sum_of_quads(const unsigned* in, unsigned* out, unsigned stride) {
  const uint4 quad = reinterpret_cast<const uint4*>(in)[rank() * stride];
  out[rank()] = quad.x + quad.y + quad.z + quad.w;
}

// From anywhere among `words` words.
__global__ void gather(const unsigned* in, unsigned* out, unsigned words) {
  out[rank()] = in[in[rank()] & (words - 1)];
}

const Kernel global_memory_kernels[] = {
    {"strided_load_0", 0, &launch<strided_load>},
    {"strided_load_1", 1, &launch<strided_load>},
    {"strided_load_2", 2, &launch<strided_load>},
    {"strided_load_3", 3, &launch<strided_load>},
    {"strided_load_8", 8, &launch<strided_load>},
    {"strided_load_32", 32, &launch<strided_load>},
    {"strided_store_2", 2, &launch<strided_store>},
    {"strided_store_9", 9, &launch<strided_store>},
    {"shifted_copy_1", 1, &launch<shifted_copy>},
    {"shifted_copy_12", 12, &launch<shifted_copy>},
    {"copy_bytes", 1, &launch<copy_of<unsigned char>>},
    {"copy_bytes_strided", 5, &launch<copy_of<unsigned char>>},
    {"copy_halves", 1, &launch<copy_of<unsigned short>>},
    {"copy_pairs", 1, &launch<copy_of<uint2>>},
    {"copy_pairs_strided", 3, &launch<copy_of<uint2>>},
    {"copy_quads", 1, &launch<copy_of<uint4>>},
    {"copy_quads_strided", 3, &launch<copy_of<uint4>>},
    {"sum_of_pairs", 1, &launch<sum_of_pairs>},
    {"sum_of_quads", 1, &launch<sum_of_quads>},
    {"gather_32", 32, &launch<gather>},
    {"gather_4096", 4096, &launch<gather>},
    {"gather_all", elements, &launch<gather>},
};

}  // namespace

}  // namespace golden
