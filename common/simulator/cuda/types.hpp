// SPDX-License-Identifier: MIT
// CUDA's built-in types for code that is compiled for the simulator: dim3 and the vector types with the sizes
// and alignments of the CUDA C++ Programming Guide ("Built-in vector types").
//
// A GPU loads and stores a vector of two or four elements with one instruction. A compiler for the host takes
// such a type apart: it loads the components that are used, one by one. So copying one is a call of ours,
// which no optimisation takes apart, and which sees both sides whether functions are inlined or not. A
// component that is named in memory (`p[i].x`) is an access of its own. Vectors of three elements are aligned
// to one of them, and a GPU takes them apart too.
#pragma once

#ifndef __CUDACC__  // which has its own

#include <cstdint>
#include <type_traits>

#if defined(__clang__)
#define SIMULATOR_NO_ESCAPE __attribute__((noescape))
#else
#define SIMULATOR_NO_ESCAPE
#endif

namespace simulator {

template <class T, class... Accepted>
constexpr bool is_one_of = (std::is_same_v<T, Accepted> || ...);

__extension__ using Bits128 = unsigned __int128;

// One load or store of the running thread, as large as Bits.
template <class Bits>
[[gnu::pure]] Bits load_vector(SIMULATOR_NO_ESCAPE const void* address);
template <class Bits>
void store_vector(SIMULATOR_NO_ESCAPE void* address, Bits bits);

// The longest accesses that a GPU makes are of 16 bytes; it loads and stores longer vectors in halves.
template <std::size_t size>
using VectorBits = std::conditional_t<
    size == 2, std::uint16_t,
    std::conditional_t<size == 4, std::uint32_t, std::conditional_t<size == 8, std::uint64_t, Bits128>>>;

template <class Vector>
struct VectorCopy {
  using Bits = VectorBits<sizeof(Vector)>;
  static constexpr std::size_t count = sizeof(Vector) / sizeof(Bits);
  static_assert(sizeof(Vector) == count * sizeof(Bits));
  Bits bits[count];
};

template <class Vector>
__attribute__((always_inline)) inline VectorCopy<Vector> loaded(const Vector& from) {
  using Copy = VectorCopy<Vector>;
  Copy copy;
  for (std::size_t i = 0; i < Copy::count; ++i)
    copy.bits[i] = load_vector<typename Copy::Bits>(reinterpret_cast<const char*>(&from) +
                                                    i * sizeof(typename Copy::Bits));
  return copy;
}

template <class Vector>
__attribute__((always_inline)) inline void store(Vector& to, const VectorCopy<Vector>& copy) {
  using Bits = typename VectorCopy<Vector>::Bits;
  for (std::size_t i = 0; i < VectorCopy<Vector>::count; ++i)
    store_vector<Bits>(reinterpret_cast<char*>(&to) + i * sizeof(Bits), copy.bits[i]);
}

}  // namespace simulator

// Reading the source of a move needs no call: it is a value that a function or an expression has just made.
#define SIMULATOR_COPIED_AS_ONE(name, copy_components)                                      \
  __attribute__((always_inline)) constexpr name(const name& other) {                        \
    if (std::is_constant_evaluated()) {                                                     \
      copy_components;                                                                      \
    } else {                                                                                \
      const auto copy = ::simulator::loaded(other);                                         \
      __builtin_memcpy(static_cast<void*>(this), &copy, sizeof(name));                      \
    }                                                                                       \
  }                                                                                         \
  __attribute__((always_inline)) constexpr name(name&& other) noexcept { copy_components; } \
  __attribute__((always_inline)) constexpr name& operator=(const name& other) {             \
    if (std::is_constant_evaluated()) {                                                     \
      copy_components;                                                                      \
    } else {                                                                                \
      ::simulator::store(*this, ::simulator::loaded(other));                                \
    }                                                                                       \
    return *this;                                                                           \
  }                                                                                         \
  __attribute__((always_inline)) constexpr name& operator=(name&& other) noexcept {         \
    if (std::is_constant_evaluated()) {                                                     \
      copy_components;                                                                      \
    } else {                                                                                \
      ::simulator::VectorCopy<name> copy;                                                   \
      __builtin_memcpy(&copy, static_cast<const void*>(&other), sizeof(name));              \
      ::simulator::store(*this, copy);                                                      \
    }                                                                                       \
    return *this;                                                                           \
  }

// The first component by itself: braces make a vector of it, `uint2{1}`, while a number alone is none, for
// that would take two conversions. nvcc's vectors, which have no constructors, are the same in this.
namespace simulator {

template <class T>
struct FirstComponent {
  T value;
  __attribute__((always_inline)) constexpr FirstComponent(T value_) : value(value_) {}
};

}  // namespace simulator

#define SIMULATOR_VECTOR_OF_4(type, name, align)                                                 \
  struct alignas(align) name {                                                                   \
    type x, y, z, w;                                                                             \
    name() = default;                                                                            \
    constexpr name(::simulator::FirstComponent<type> x_) : x(x_.value), y{}, z{}, w{} {}         \
    constexpr name(type x_, type y_, type z_ = {}, type w_ = {}) : x(x_), y(y_), z(z_), w(w_) {} \
    SIMULATOR_COPIED_AS_ONE(name, (x = other.x, y = other.y, z = other.z, w = other.w))          \
  };                                                                                             \
  constexpr name make_##name(type x, type y, type z, type w) { return {x, y, z, w}; }

#define SIMULATOR_VECTOR_TYPES(type, name, align2, align4)                        \
  struct name##1 {                                                                \
    type x;                                                                       \
  };                                                                              \
  struct alignas(align2) name##2 {                                                \
    type x, y;                                                                    \
    name##2() = default;                                                          \
    constexpr name##2(::simulator::FirstComponent<type> x_) : x(x_.value), y{} {} \
    constexpr name##2(type x_, type y_) : x(x_), y(y_) {}                         \
    SIMULATOR_COPIED_AS_ONE(name##2, (x = other.x, y = other.y))                  \
  };                                                                              \
  struct name##3 {                                                                \
    type x, y, z;                                                                 \
  };                                                                              \
  SIMULATOR_VECTOR_OF_4(type, name##4, align4)                                    \
  constexpr name##1 make_##name##1(type x) { return {x}; }                        \
  constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }             \
  constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }

// Those of four components with 8 bytes each are there aligned to 16 and to 32 bytes, since CUDA 13.
#define SIMULATOR_LONG_VECTOR_TYPES(type, name) \
  SIMULATOR_VECTOR_TYPES(type, name, 16, 16)    \
  SIMULATOR_VECTOR_OF_4(type, name##4_16a, 16)  \
  SIMULATOR_VECTOR_OF_4(type, name##4_32a, 32)

SIMULATOR_VECTOR_TYPES(signed char, char, 2, 4)
SIMULATOR_VECTOR_TYPES(unsigned char, uchar, 2, 4)
SIMULATOR_VECTOR_TYPES(short, short, 4, 8)
SIMULATOR_VECTOR_TYPES(unsigned short, ushort, 4, 8)
SIMULATOR_VECTOR_TYPES(int, int, 8, 16)
SIMULATOR_VECTOR_TYPES(unsigned int, uint, 8, 16)
SIMULATOR_LONG_VECTOR_TYPES(long, long)
SIMULATOR_LONG_VECTOR_TYPES(unsigned long, ulong)
SIMULATOR_LONG_VECTOR_TYPES(long long, longlong)
SIMULATOR_LONG_VECTOR_TYPES(unsigned long long, ulonglong)
SIMULATOR_VECTOR_TYPES(float, float, 8, 16)
SIMULATOR_LONG_VECTOR_TYPES(double, double)

#undef SIMULATOR_LONG_VECTOR_TYPES
#undef SIMULATOR_VECTOR_TYPES
#undef SIMULATOR_VECTOR_OF_4
#undef SIMULATOR_COPIED_AS_ONE

// The extent of a grid or a block; what is not given is 1.
struct dim3 {
  unsigned int x = 1, y = 1, z = 1;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};

// threadIdx and the like are `const` functions behind macros: a global object would itself be instrumented,
// and counted as memory that the kernel reads. Each gives a number, not a struct, so that compilers see that
// two uses of threadIdx.x are the same, and load what is there once, as nvcc does. Axes: 0 to 2.
namespace simulator {

[[gnu::const]] unsigned int thread_index(unsigned int axis);
[[gnu::const]] unsigned int block_index(unsigned int axis);
[[gnu::const]] unsigned int block_extent(unsigned int axis);
[[gnu::const]] unsigned int grid_extent(unsigned int axis);

}  // namespace simulator

#define SIMULATOR_AXES(number) ::simulator::number(0u), ::simulator::number(1u), ::simulator::number(2u)
#define threadIdx (::uint3{SIMULATOR_AXES(thread_index)})
#define blockIdx (::uint3{SIMULATOR_AXES(block_index)})
#define blockDim (::dim3{SIMULATOR_AXES(block_extent)})
#define gridDim (::dim3{SIMULATOR_AXES(grid_extent)})

// Known to the compiler when it optimises, but no constant expression, as with nvcc: `int sums[warpSize]` is
// refused. Each compiler takes another thing for no constant expression that it works out all the same.
#if defined(__clang__)
static const int warpSize = (int)(long)(char*)32;
#else
namespace simulator {
extern int defined_nowhere;
}
static const int warpSize = 32 + 0 * ::simulator::defined_nowhere;
#endif

#endif
