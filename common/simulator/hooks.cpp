// SPDX-License-Identifier: MIT
// The functions that the compiler's instrumentation calls (see simulator/meson.build for the flags): one for each
// load and store of the kernel, with its address, and one for each basic block. The sanitizer's own runtime is not
// linked; these definitions stand in its place.
//
// Basic blocks are counted, so that a thread that waits for another one by looking at memory again and again gives
// way in the end. Loads and stores are not looked at yet. Inline library functions are instrumented too and may be
// called outside a kernel, so every hook must work there.
#include <cstddef>
#include <cstdint>

#include "simulator/machine.hpp"

extern "C" {

void __sanitizer_cov_trace_pc();
void __sanitizer_cov_trace_pc() {
  if (--simulator::fuel > 0) return;
  simulator::fuel = simulator::turn;
  simulator::Machine& machine = simulator::Machine::instance();
  if (machine.running()) machine.give_way();
}

void __tsan_init();
void __tsan_init() {}
void __tsan_func_entry(void*);
void __tsan_func_entry(void*) {}
void __tsan_func_exit();
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*);
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**);
void __tsan_vptr_read(void**) {}
void __tsan_read_range(void*, std::size_t);
void __tsan_read_range(void*, std::size_t) {}
void __tsan_write_range(void*, std::size_t);
void __tsan_write_range(void*, std::size_t) {}

#define ACCESS(name)  \
  void __tsan_##name(void*); \
  void __tsan_##name(void*) {}
#define ACCESSES(size)          \
  ACCESS(read##size)            \
  ACCESS(write##size)           \
  ACCESS(read_write##size)      \
  ACCESS(unaligned_read##size)  \
  ACCESS(unaligned_write##size) \
  ACCESS(unaligned_read_write##size) \
  ACCESS(volatile_read##size)   \
  ACCESS(volatile_write##size)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

// The __atomic builtins, which a kernel may use in place of CUDA's functions; a block runs on one thread of the
// operating system, so plain accesses are indivisible. clang calls compare_exchange_val, g++ the other two.
#define ATOMIC(bits, type)                                                                   \
  type __tsan_atomic##bits##_load(const volatile type*, int);                                \
  type __tsan_atomic##bits##_load(const volatile type* address, int) { return *address; }    \
  void __tsan_atomic##bits##_store(volatile type*, type, int);                               \
  void __tsan_atomic##bits##_store(volatile type* address, type value, int) { *address = value; } \
  ATOMIC_FETCH(bits, type, exchange, value)                                                  \
  ATOMIC_FETCH(bits, type, fetch_add, static_cast<type>(old + value))                        \
  ATOMIC_FETCH(bits, type, fetch_sub, static_cast<type>(old - value))                        \
  ATOMIC_FETCH(bits, type, fetch_and, static_cast<type>(old & value))                        \
  ATOMIC_FETCH(bits, type, fetch_or, static_cast<type>(old | value))                         \
  ATOMIC_FETCH(bits, type, fetch_xor, static_cast<type>(old ^ value))                        \
  ATOMIC_FETCH(bits, type, fetch_nand, static_cast<type>(~(old & value)))                    \
  ATOMIC_COMPARE(bits, type, strong)                                                         \
  ATOMIC_COMPARE(bits, type, weak)                                                           \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type*, type, type, int, int);     \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* address, type expected, type value, int, int) { \
    const type old = *address;                                                               \
    if (old == expected) *address = value;                                                   \
    return old;                                                                              \
  }
#define ATOMIC_FETCH(bits, type, name, expression)                         \
  type __tsan_atomic##bits##_##name(volatile type*, type, int);            \
  type __tsan_atomic##bits##_##name(volatile type* address, type value, int) { \
    const type old = *address;                                             \
    *address = expression;                                                 \
    return old;                                                            \
  }
#define ATOMIC_COMPARE(bits, type, strength)                                                                      \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile type*, type*, type, int, int);                   \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile type* address, type* expected, type value, int,  \
                                                        int) {                                                    \
    const type old = *address;                                                                                    \
    const bool equal = old == *expected;                                                                          \
    if (equal) *address = value;                                                                                  \
    *expected = old;                                                                                              \
    return equal;                                                                                                 \
  }
ATOMIC(8, std::uint8_t)
ATOMIC(16, std::uint16_t)
ATOMIC(32, std::uint32_t)
ATOMIC(64, std::uint64_t)

void __tsan_atomic_thread_fence(int);
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int);
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
