// SPDX-License-Identifier: MIT
// CUDA's built-in types for code that is compiled for the simulator: dim3 and the vector types with the sizes
// and alignments of the CUDA C++ Programming Guide ("Built-in vector types").
#pragma once

#ifndef __CUDACC__  // which has its own

#define SIMULATOR_VECTOR_TYPES(type, name, align2, align4)                       \
  struct name##1 {                                                               \
    type x;                                                                      \
  };                                                                             \
  struct alignas(align2) name##2 {                                               \
    type x, y;                                                                   \
  };                                                                             \
  struct name##3 {                                                               \
    type x, y, z;                                                                \
  };                                                                             \
  struct alignas(align4) name##4 {                                               \
    type x, y, z, w;                                                             \
  };                                                                             \
  constexpr name##1 make_##name##1(type x) { return {x}; }                       \
  constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  constexpr name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

SIMULATOR_VECTOR_TYPES(signed char, char, 2, 4)
SIMULATOR_VECTOR_TYPES(unsigned char, uchar, 2, 4)
SIMULATOR_VECTOR_TYPES(short, short, 4, 8)
SIMULATOR_VECTOR_TYPES(unsigned short, ushort, 4, 8)
SIMULATOR_VECTOR_TYPES(int, int, 8, 16)
SIMULATOR_VECTOR_TYPES(unsigned int, uint, 8, 16)
SIMULATOR_VECTOR_TYPES(long, long, 16, 16)
SIMULATOR_VECTOR_TYPES(unsigned long, ulong, 16, 16)
SIMULATOR_VECTOR_TYPES(long long, longlong, 16, 16)
SIMULATOR_VECTOR_TYPES(unsigned long long, ulonglong, 16, 16)
SIMULATOR_VECTOR_TYPES(float, float, 8, 16)
SIMULATOR_VECTOR_TYPES(double, double, 16, 16)

#undef SIMULATOR_VECTOR_TYPES

// The extent of a grid or a block; what is not given is 1.
struct dim3 {
  unsigned int x = 1, y = 1, z = 1;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

// threadIdx and the like are `const` functions behind macros: a global object would itself be instrumented,
// and counted as memory that the kernel reads.
namespace simulator {

[[gnu::const]] uint3 thread_index();
[[gnu::const]] uint3 block_index();
[[gnu::const]] dim3 block_extent();
[[gnu::const]] dim3 grid_extent();

}  // namespace simulator

#define threadIdx (::simulator::thread_index())
#define blockIdx (::simulator::block_index())
#define blockDim (::simulator::block_extent())
#define gridDim (::simulator::grid_extent())
constexpr int warpSize = 32;

#endif
