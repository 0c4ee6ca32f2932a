// SPDX-License-Identifier: MIT
// Members of vectors and of structs that are declared aligned, each named by itself: nvcc makes one load or
// store of those that lie side by side.
#pragma once

#include "kernel_launch.cuh"

namespace golden {

namespace {

struct alignas(16) FourWords {
  float weight;
  unsigned number;
  float other_weight;
  unsigned other_number;
};

struct alignas(8) WordAndShorts {
  unsigned word;
  unsigned short first, second;
};

struct TwoWords {  // aligned to a word
  unsigned first, second;
};

template <class T>
__device__ const T* as(const unsigned* in) {
  return reinterpret_cast<const T*>(in);
}

// Which of four: `in` has more of them than threads.
template <class T, bool x, bool y, bool z, bool w>
__device__ unsigned sum_of(const unsigned* in) {
  const T& v = as<T>(in)[rank()];
  unsigned sum = 7;
  if constexpr (x) sum = sum * 3 + v.x;
  if constexpr (y) sum = sum * 5 + v.y;
  if constexpr (z) sum = sum * 7 + v.z;
  if constexpr (w) sum = sum * 9 + v.w;
  return sum;
}

#define SUM_OF_MEMBERS(name, type, ...)                               \
  __global__ void name(const unsigned* in, unsigned* out, unsigned) { \
    out[rank()] = sum_of<type, __VA_ARGS__>(in);                      \
  }
SUM_OF_MEMBERS(members_xyzw, uint4, true, true, true, true)
SUM_OF_MEMBERS(members_xy, uint4, true, true, false, false)
SUM_OF_MEMBERS(members_xz, uint4, true, false, true, false)
SUM_OF_MEMBERS(members_xw, uint4, true, false, false, true)
SUM_OF_MEMBERS(members_yz, uint4, false, true, true, false)
SUM_OF_MEMBERS(members_zw, uint4, false, false, true, true)
SUM_OF_MEMBERS(members_xyz, uint4, true, true, true, false)
SUM_OF_MEMBERS(members_yzw, uint4, false, true, true, true)
SUM_OF_MEMBERS(byte_members_xyzw, uchar4, true, true, true, true)
SUM_OF_MEMBERS(byte_members_xy, uchar4, true, true, false, false)
SUM_OF_MEMBERS(byte_members_xz, uchar4, true, false, true, false)
SUM_OF_MEMBERS(byte_members_yzw, uchar4, false, true, true, true)
SUM_OF_MEMBERS(short_members_xyzw, ushort4, true, true, true, true)
SUM_OF_MEMBERS(short_members_zw, ushort4, false, false, true, true)
#undef SUM_OF_MEMBERS

__global__ void members_of_struct(const unsigned* in, unsigned* out, unsigned) {
  const FourWords& one = as<FourWords>(in)[rank()];
  out[rank()] = one.number * 3 + one.other_number + (one.weight < one.other_weight);
}

__global__ void members_of_two_sizes(const unsigned* in, unsigned* out, unsigned) {
  const WordAndShorts& one = as<WordAndShorts>(in)[rank()];
  out[rank()] = one.word * 3 + one.first * 5 + one.second;
}

__global__ void members_of_plain_struct(const unsigned* in, unsigned* out, unsigned) {
  const TwoWords& one = as<TwoWords>(in)[rank()];
  out[rank()] = one.first * 3 + one.second;
}

// Two vectors that lie side by side are not known to be aligned together.
__global__ void members_of_two(const unsigned* in, unsigned* out, unsigned) {
  const uint2* const two = as<uint2>(in) + 2 * rank();
  out[rank()] = two[0].x + two[0].y * 3 + two[1].x * 5 + two[1].y * 7;
}

// With something in between.
__global__ void members_between_shared_stores(const unsigned* in, unsigned* out, unsigned step) {
  __shared__ unsigned words[1024];
  const uint4& v = as<uint4>(in)[rank()];
  words[threadIdx.x] = v.x;
  words[threadIdx.x + step] = v.y;
  words[threadIdx.x + 2 * step] = v.z;
  words[threadIdx.x + 3 * step] = v.w;
  __syncthreads();
  out[rank()] = words[threadIdx.x * 3];
}

__global__ void members_between_shared_atomics(const unsigned* in, unsigned* out, unsigned bins) {
  __shared__ unsigned counts[256];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const uchar4& v = as<uchar4>(in)[rank()];
  atomicAdd(&counts[v.x % bins], 1u);
  atomicAdd(&counts[v.y % bins], 1u);
  atomicAdd(&counts[v.z % bins], 1u);
  atomicAdd(&counts[v.w % bins], 1u);
  __syncthreads();
  out[rank()] = counts[threadIdx.x];
}

__global__ void members_between_global_stores(const unsigned* in, unsigned* out, unsigned step) {
  const uint2& v = as<uint2>(in)[rank()];
  out[rank()] = v.x;
  out[rank() + step] = v.y;
}

__global__ void members_between_loads(const unsigned* in, unsigned* out, unsigned step) {
  const uint2& v = as<uint2>(in)[rank()];
  unsigned sum = v.x * in[rank()];
  sum += v.y * in[rank() + step];
  out[rank()] = sum;
}

__global__ void members_between_shuffles(const unsigned* in, unsigned* out, unsigned mask) {
  const uint2& v = as<uint2>(in)[rank()];
  unsigned sum = __shfl_xor_sync(~0u, v.x, static_cast<int>(mask));
  sum += __shfl_xor_sync(~0u, v.y, static_cast<int>(mask));
  out[rank()] = sum;
}

__global__ void members_in_branch(const unsigned* in, unsigned* out, unsigned bound) {
  const uint4& v = as<uint4>(in)[rank()];
  unsigned sum = v.x;
  if (sum % 64 < bound) {
    for (unsigned i = sum % 8; i < 100; i += 7) sum = sum * i + (sum >> 3);
    sum += v.y * sum;
  }
  out[rank()] = sum;
}

// What is short is chosen and not branched to.
__global__ void members_chosen(const unsigned* in, unsigned* out, unsigned bound) {
  const uchar4& v = as<uchar4>(in)[rank()];
  unsigned sum = v.x < bound ? 3 * v.x : 1u;
  sum += v.y < bound ? 5 * v.y : 2u;
  sum += v.z < bound ? 7 * v.z : 3u;
  sum += v.w < bound ? 9 * v.w : 4u;
  out[rank()] = sum;
}

__global__ void members_in_loop(const unsigned* in, unsigned* out, unsigned count) {
  const uint2* const all = as<uint2>(in);
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned i = rank(); i < count; i += gridDim.x * blockDim.x) sum += all[i].x * 3 + all[i].y;
  out[rank()] = sum;
}

// Stores.
__global__ void members_stored(const unsigned* in, unsigned* out, unsigned) {
  uint4* const all = reinterpret_cast<uint4*>(out);
  const unsigned value = in[rank()];
  all[rank()].x = value;
  all[rank()].y = value + 1;
  all[rank()].z = value * 2;
  all[rank()].w = value * value;
}

__global__ void byte_members_stored(const unsigned* in, unsigned* out, unsigned) {
  uchar4* const all = reinterpret_cast<uchar4*>(out);
  const unsigned value = in[rank()];
  all[rank()].x = static_cast<unsigned char>(value);
  all[rank()].y = static_cast<unsigned char>(value >> 8);
  all[rank()].z = static_cast<unsigned char>(value >> 16);
  all[rank()].w = static_cast<unsigned char>(value * 3);
}

__global__ void members_xz_stored(const unsigned* in, unsigned* out, unsigned) {
  uint4* const all = reinterpret_cast<uint4*>(out);
  const unsigned value = in[rank()];
  all[rank()].x = value;
  all[rank()].z = value * 2;
}

__global__ void members_xyz_stored(const unsigned* in, unsigned* out, unsigned) {
  uint4* const all = reinterpret_cast<uint4*>(out);
  const unsigned value = in[rank()];
  all[rank()].x = value;
  all[rank()].y = value + 1;
  all[rank()].z = value * 2;
}

__global__ void members_changed(const unsigned* in, unsigned* out, unsigned) {
  uint2& pair = reinterpret_cast<uint2*>(out)[rank()];
  const unsigned value = in[rank()];
  pair.x += value;
  pair.y += value * 3;
}

__global__ void members_copied(const unsigned* in, unsigned* out, unsigned) {
  const uint2& from = as<uint2>(in)[rank()];
  uint2& to = reinterpret_cast<uint2*>(out)[rank()];
  to.x = from.x + 1;
  to.y = from.y + 2;
}

const Kernel vector_members_kernels[] = {
    {"members_xyzw", 0, &launch<members_xyzw>},
    {"members_xy", 0, &launch<members_xy>},
    {"members_xz", 0, &launch<members_xz>},
    {"members_xw", 0, &launch<members_xw>},
    {"members_yz", 0, &launch<members_yz>},
    {"members_zw", 0, &launch<members_zw>},
    {"members_xyz", 0, &launch<members_xyz>},
    {"members_yzw", 0, &launch<members_yzw>},
    {"byte_members_xyzw", 0, &launch<byte_members_xyzw>},
    {"byte_members_xy", 0, &launch<byte_members_xy>},
    {"byte_members_xz", 0, &launch<byte_members_xz>},
    {"byte_members_yzw", 0, &launch<byte_members_yzw>},
    {"short_members_xyzw", 0, &launch<short_members_xyzw>},
    {"short_members_zw", 0, &launch<short_members_zw>},
    {"members_of_struct", 0, &launch<members_of_struct>},
    {"members_of_two_sizes", 0, &launch<members_of_two_sizes>},
    {"members_of_plain_struct", 0, &launch<members_of_plain_struct>},
    {"members_of_two", 0, &launch<members_of_two>},
    {"members_between_shared_stores", 256, &launch<members_between_shared_stores>},
    {"members_between_shared_atomics", 200, &launch<members_between_shared_atomics>},
    {"members_between_global_stores", 32768, &launch<members_between_global_stores>},
    {"members_between_loads", 8192, &launch<members_between_loads>},
    {"members_between_shuffles", 3, &launch<members_between_shuffles>},
    {"members_in_branch", 20, &launch<members_in_branch>},
    {"members_chosen", 100, &launch<members_chosen>},
    {"members_in_loop", 65000, &launch<members_in_loop>},
    {"members_stored", 0, &launch<members_stored>},
    {"byte_members_stored", 0, &launch<byte_members_stored>},
    {"members_xz_stored", 0, &launch<members_xz_stored>},
    {"members_xyz_stored", 0, &launch<members_xyz_stored>},
    {"members_changed", 0, &launch<members_changed>},
    {"members_copied", 0, &launch<members_copied>},
};

}  // namespace

}  // namespace golden
