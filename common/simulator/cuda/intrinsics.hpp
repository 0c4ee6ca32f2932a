// SPDX-License-Identifier: MIT
// Arithmetic, memory functions, traps and clocks that CUDA offers without a header. Inlined, for the place of
// the call is the one that a report names. (assert and printf: library.hpp.)
#pragma once

#include <cstddef>
#include <type_traits>

#include "simulator/cuda/types.hpp"

#define SIMULATOR_INLINE __attribute__((always_inline)) inline

SIMULATOR_INLINE int __popc(unsigned int x) { return __builtin_popcount(x); }
SIMULATOR_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
SIMULATOR_INLINE int __ffs(int x) { return __builtin_ffs(x); }
SIMULATOR_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
SIMULATOR_INLINE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
SIMULATOR_INLINE int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}

// A cache hint is for what a lane loads or stores at once: CUDA has no such functions for structs.
#define SIMULATOR_TAKES(name)                                                                               \
  static_assert(                                                                                            \
      ::simulator::is_one_of<T, char, signed char, unsigned char, short, unsigned short, int, unsigned int, \
                             long, unsigned long, long long, unsigned long long, float, double, char2,      \
                             uchar2, short2, ushort2, int2, uint2, longlong2, ulonglong2, float2, double2,  \
                             char4, uchar4, short4, ushort4, int4, uint4, float4>,                          \
      #name                                                                                                 \
      " takes a pointer to a number, or to a vector of at most 16 bytes such as uint4: no struct, no bool")

namespace simulator {

// Passes on what a function for global memory has loaded there, or is about to store: an address in shared
// memory ends the thread, for on a GPU such a function takes it for one of global memory. Where the value is
// not used, the compiler leaves the call out, too.
template <class T>
[[gnu::pure]] T loaded_from_global(T value, const void* address);
// By __ldg: what is read so must not change during the launch.
template <class T>
[[gnu::pure]] T loaded_read_only(T value, const void* address);
template <class T>
[[gnu::pure]] T stored_in_global(T value, const void* address);

}  // namespace simulator

// With a cache hint a load reads and a store writes what a plain one does.
#define SIMULATOR_LOAD(name, loaded)                  \
  template <class T>                                  \
  SIMULATOR_INLINE T name(const T* address) {         \
    SIMULATOR_TAKES(name);                            \
    return ::simulator::loaded<T>(*address, address); \
  }
SIMULATOR_LOAD(__ldg, loaded_read_only)
SIMULATOR_LOAD(__ldca, loaded_from_global)
SIMULATOR_LOAD(__ldcg, loaded_from_global)
SIMULATOR_LOAD(__ldcs, loaded_from_global)
SIMULATOR_LOAD(__ldcv, loaded_from_global)
SIMULATOR_LOAD(__ldlu, loaded_from_global)
#undef SIMULATOR_LOAD
#define SIMULATOR_STORE(name)                                             \
  template <class T>                                                      \
  SIMULATOR_INLINE void name(T* address, std::type_identity_t<T> value) { \
    SIMULATOR_TAKES(name);                                                \
    *address = ::simulator::stored_in_global<T>(value, address);          \
  }
SIMULATOR_STORE(__stcg)
SIMULATOR_STORE(__stcs)
SIMULATOR_STORE(__stwb)
SIMULATOR_STORE(__stwt)
#undef SIMULATOR_STORE
#undef SIMULATOR_TAKES

#define SIMULATOR_MIN_MAX(result, left, right)                                       \
  SIMULATOR_INLINE constexpr result min(left a, right b) {                           \
    return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(a)  \
                                                           : static_cast<result>(b); \
  }                                                                                  \
  SIMULATOR_INLINE constexpr result max(left a, right b) {                           \
    return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(b)  \
                                                           : static_cast<result>(a); \
  }
SIMULATOR_MIN_MAX(int, int, int)
SIMULATOR_MIN_MAX(unsigned int, unsigned int, unsigned int)
SIMULATOR_MIN_MAX(unsigned int, int, unsigned int)
SIMULATOR_MIN_MAX(unsigned int, unsigned int, int)
SIMULATOR_MIN_MAX(long, long, long)
SIMULATOR_MIN_MAX(unsigned long, unsigned long, unsigned long)
SIMULATOR_MIN_MAX(unsigned long, long, unsigned long)
SIMULATOR_MIN_MAX(unsigned long, unsigned long, long)
SIMULATOR_MIN_MAX(long long, long long, long long)
SIMULATOR_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
SIMULATOR_MIN_MAX(unsigned long long, long long, unsigned long long)
SIMULATOR_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef SIMULATOR_MIN_MAX

// Of a number and NaN, the number.
#define SIMULATOR_MIN_MAX(result, left, right)                                                      \
  SIMULATOR_INLINE constexpr result min(left a, right b) {                                          \
    return static_cast<bool>((b < a) | (a != a)) ? static_cast<result>(b) : static_cast<result>(a); \
  }                                                                                                 \
  SIMULATOR_INLINE constexpr result max(left a, right b) {                                          \
    return static_cast<bool>((a < b) | (a != a)) ? static_cast<result>(b) : static_cast<result>(a); \
  }
SIMULATOR_MIN_MAX(float, float, float)
SIMULATOR_MIN_MAX(double, double, double)
SIMULATOR_MIN_MAX(double, float, double)
SIMULATOR_MIN_MAX(double, double, float)
#undef SIMULATOR_MIN_MAX

namespace simulator {

enum class FenceScope { block, device, system };

// The running thread orders its accesses, as __threadfence does. Blocks run one after another on one thread
// of the operating system, so nothing has to be waited for; checkers are told.
void fence(FenceScope scope);

// What an order of cuda::memory_order says: nothing that came before moves behind a release, and nothing that
// comes later before an acquire.
enum class FenceOrder { release, acquire, both, sequential };
// A fence of an order. With a word: that of an operation on this word, which orders nothing by way of others.
void fence(FenceScope scope, FenceOrder order, const volatile void* word);

// The running thread's launch ends with a report.
[[noreturn]] void trap();

// The basic blocks that the running thread has entered in its block so far: a clock that goes the same in
// every launch.
long long thread_clock();

// Where an address lies: in the block's shared memory, on the running thread's stack, or neither.
[[gnu::pure]] bool is_shared(const void* address);
[[gnu::pure]] bool is_local(const void* address);

// The number that an address in shared memory has there, and back.
[[gnu::pure]] std::size_t shared_offset(const void* address);
[[gnu::pure]] void* shared_address(std::size_t offset);

}  // namespace simulator

[[noreturn]] SIMULATOR_INLINE void __trap() { ::simulator::trap(); }
[[noreturn]] SIMULATOR_INLINE void __brkpt() { ::simulator::trap(); }
SIMULATOR_INLINE long long clock64() { return ::simulator::thread_clock(); }

SIMULATOR_INLINE void __threadfence_block() { ::simulator::fence(::simulator::FenceScope::block); }
SIMULATOR_INLINE void __threadfence() { ::simulator::fence(::simulator::FenceScope::device); }
SIMULATOR_INLINE void __threadfence_system() { ::simulator::fence(::simulator::FenceScope::system); }
SIMULATOR_INLINE void __nanosleep(unsigned int) {}
SIMULATOR_INLINE void __prof_trigger(int) {}

// Macros, for compilers propose functions of similar names for a misspelt __shared__.
#define __isShared(address) static_cast<unsigned>(::simulator::is_shared(address))
#define __isLocal(address) static_cast<unsigned>(::simulator::is_local(address))
#define __isGlobal(address) \
  static_cast<unsigned>(!::simulator::is_shared(address) && !::simulator::is_local(address))
SIMULATOR_INLINE std::size_t __cvta_generic_to_shared(const void* address) {
  return ::simulator::shared_offset(address);
}
SIMULATOR_INLINE void* __cvta_shared_to_generic(std::size_t offset) {
  return ::simulator::shared_address(offset);
}
SIMULATOR_INLINE std::size_t __cvta_generic_to_global(const void* address) {
  return reinterpret_cast<std::size_t>(address);
}
SIMULATOR_INLINE void* __cvta_global_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}

#undef SIMULATOR_INLINE
