// SPDX-License-Identifier: MIT
// CUDA's qualifiers for code that is compiled for the simulator.
//
// A block runs on one thread of the operating system, one block after another, so thread-local storage is
// exactly as private as shared memory is: one instance, which every thread of the block sees. The alignment
// (shared_alignment) puts every array at bank 0, as on a GPU one that is alone in its kernel, and a gap
// behind most, where accesses are seen. `constinit` keeps g++ from asking at run time whether an array of
// vectors has been initialised, which takes no initialisation.
#pragma once

#ifndef __CUDACC__  // which has its own

#include <cstddef>
#include <memory>  // before `__noinline__`, which it has within an attribute
// nvcc inlines a kernel's calls, also those that g++ finds too long.
#define __global__ __attribute__((flatten))
#define __device__
#define __host__
// A section of its own each, for those that are `const` and those that are not cannot share one; and a gap
// behind each. Of a template g++ leaves the section out, but not the visibility, by which such variables are
// known (simulator/program_image.cpp). It is without meaning for what other files do not see.
#define SIMULATOR_AS_TEXT(number) #number
#define SIMULATOR_CONSTANT(number)                                                       \
  __attribute__((section("simulator_constant." SIMULATOR_AS_TEXT(number)), aligned(256), \
                 visibility("protected")))
#define __constant__ SIMULATOR_CONSTANT(__COUNTER__)
#define __managed__
#if defined(__clang__)
#define __shared__ thread_local __attribute__((aligned(4096)))
#else
#define __shared__ constinit thread_local __attribute__((aligned(4096)))
#endif
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __inline_hint__ inline
#define __nv_pure__ __attribute__((pure))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
// With nvcc `alignas` may stand behind `__shared__` or `__constant__`, as an attribute behind an attribute.
// Behind what these are here, C++ has no place for it, but g++ and clang have one for an attribute of their
// own.
// `int(...)` is a function's type if it is given types, and a number if it is given one, which may be
// compared by
// `>` between parentheses.
#define alignas(...) __attribute__((aligned(simulator::alignment_of<int(__VA_ARGS__)>())))
namespace simulator {
template <class... Types>
constexpr std::size_t largest_alignment(int (*)(Types...)) {
  std::size_t largest = 1;
  ((largest = alignof(Types) > largest ? alignof(Types) : largest), ...);
  return largest;
}
template <class Function>
constexpr std::size_t alignment_of() {
  return largest_alignment(static_cast<Function*>(nullptr));
}
template <int bytes>
constexpr std::size_t alignment_of() {
  return bytes;
}
}  // namespace simulator
#define __launch_bounds__(...)
#define __maxnreg__(registers)
#define __grid_constant__

// A promise to the compiler; on a GPU, too, the condition is not evaluated.
#if !defined(__clang__)
#define __builtin_assume(condition) static_cast<void>(sizeof((condition) ? 1 : 0))
#endif

#endif
