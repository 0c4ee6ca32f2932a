// SPDX-License-Identifier: MIT
// The functions that the compiler's instrumentation calls (see simulator/meson.build for the flags): one for
// each load and store of the kernel, with its address, and one for each basic block. The sanitizer's own
// runtime is not linked; these definitions stand in its place.
//
// Basic blocks are also counted, so that a thread that waits for another one by looking at memory again and
// again gives way in the end. Inline library functions are instrumented too and may be called outside a
// kernel, so every hook must work there.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simulator/cuda/intrinsics.hpp"
#include "simulator/host_memory.hpp"
#include "simulator/machine.hpp"
#include "simulator/recorder.hpp"

namespace {

using simulator::AccessKind;

// Where in the kernel a hook was called: inside the call, not behind it.
#define SITE (reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1)

// A stretch of memory, as accesses of at most 2^log2_largest bytes. `from`: the bytes that are about to be
// stored; null: they are there by the lane's next event; `repeated`: the same 16 for each piece. A load by
// the compiler cannot be told from another one, so a type is copied in pieces that its size and its address
// are multiples of.
void record_range(const void* address, std::size_t bytes, AccessKind kind, std::uintptr_t site,
                  unsigned log2_largest = 4, const unsigned char* from = nullptr, bool repeated = false) {
  using simulator::recording;
  auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t begin = at;
  // What a function of the host has asked for is not recorded, and may be far larger than a kernel's.
  if (simulator::Machine::instance().configuration().own_memory &&
      simulator::HostMemory::instance().has_allocated(begin, bytes))
    return;
  while (bytes > 0) {
    unsigned log2_size = log2_largest;
    while ((std::size_t{1} << log2_size) > bytes || at % (std::size_t{1} << log2_size) != 0) --log2_size;
    const std::size_t size = std::size_t{1} << log2_size;
    const bool recorded = simulator::record_any_access(at, log2_size, kind, site, false);
    if (recorded && kind == AccessKind::store) {
      if (from) {
        simulator::StoredValue& value = recording.at()->operands->stored[recording.lane];
        std::memcpy(value.bytes.data(), repeated ? from : from + (at - begin), size);
        value.known = true;
      } else {
        recording.unread_stores[recording.unread++] = recording.at();
      }
    }
    at += size;
    bytes -= size;
  }
  recording.done = recording.unread;
}

// The pieces in which nvcc copies a type whose alignment is less than its size: those of its alignment, which
// is taken to be a word's. Less than two words of that kind are bytes.
unsigned log2_piece(std::size_t bytes) {
  return bytes > 4 ? std::min(static_cast<unsigned>(std::countr_zero(bytes)), 2u) : 0;
}

// nvcc copies global memory byte by byte for a kernel's own memcpy and the like, for it does not know how a
// pointer is aligned, whatever its type. How a shared array is aligned it knows.
unsigned log2_piece_of_library(const void* address) { return simulator::is_shared(address) ? 4 : 0; }

// A basic block that no lane has entered in this place before, or with which the turn ends. (Others may run
// before it is recorded.)
[[gnu::noinline]] void enter_basic_block(std::uintptr_t site) {
  using simulator::recording;
  simulator::record_basic_block(site);
  const std::int64_t fuel = recording.budget.fuel();
  if (fuel > 1) {
    recording.budget.set_fuel(fuel - 1);
    return;
  }
  recording.set_fuel(simulator::turn);
  simulator::Machine& machine = simulator::Machine::instance();
  if (machine.running()) machine.give_way_to_other_warps(site);
}

void basic_block(std::uintptr_t site) {
  if (simulator::recording.budget.fuel() <= 1 || !simulator::join_basic_block(site)) enter_basic_block(site);
}

// `frame`: in the function's part of the stack.
[[gnu::always_inline]] inline void enter_function(const void* frame, std::uintptr_t site) {
  const std::uintptr_t lowest = simulator::simulator_own_stack.begin + simulator::FiberStack::reserve_bytes;
  const bool is_too_low = lowest - reinterpret_cast<std::uintptr_t>(frame) < simulator::FiberStack::bytes;
  if (is_too_low && simulator::Machine::instance().running())
    simulator::Machine::instance().overflow_stack(site);
  simulator::record_entry(site);
}

bool acquires(int order) { return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE; }
bool releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

// What an atomic has done to the word. A block in which nothing changes is taken to wait in vain.
void note_changed(void* address, bool changed, bool exchanged) {
  if (changed) {
    if (simulator::Machine::instance().running()) simulator::Machine::instance().note_progress();
  } else if (exchanged) {
    simulator::record_equal_exchange();
  } else {
    simulator::record_unchanged();
  }
  if (exchanged) simulator::record_exchange(reinterpret_cast<std::uintptr_t>(address));
}

void note_compared(void* address, bool equal, std::uintptr_t site) {
  note_changed(address, equal, false);
  simulator::Machine::instance().note_swap(reinterpret_cast<std::uintptr_t>(address), equal, site);
}

}  // namespace

void simulator::record_unseen(std::uintptr_t address, std::size_t bytes, bool writes, std::uintptr_t site) {
  record_range(reinterpret_cast<const void*>(address), bytes, writes ? AccessKind::store : AccessKind::load,
               site);
}

extern "C" {

void __sanitizer_cov_trace_pc();
void __sanitizer_cov_trace_pc() { basic_block(SITE); }

void __tsan_init();
void __tsan_init() {}
void __tsan_func_entry(void*);
void __tsan_func_entry(void*) { enter_function(__builtin_frame_address(0), SITE); }
void __tsan_func_exit();
void __tsan_func_exit() { simulator::record_exit(); }
void __tsan_vptr_update(void**, void*);
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**);
void __tsan_vptr_read(void**) {}
void __tsan_read_range(void*, std::size_t);
void __tsan_read_range(void* address, std::size_t bytes) {
  record_range(address, bytes, AccessKind::load, SITE, log2_piece(bytes));
}
void __tsan_write_range(void*, std::size_t);
void __tsan_write_range(void* address, std::size_t bytes) {
  record_range(address, bytes, AccessKind::store, SITE, log2_piece(bytes));
}
// Of a type that is aligned to 16 bytes; lab-guard calls them in place of the two above.
void __tsan_read_range_aligned(void*, std::size_t);
void __tsan_read_range_aligned(void* address, std::size_t bytes) {
  record_range(address, bytes, AccessKind::load, SITE);
}
void __tsan_write_range_aligned(void*, std::size_t);
void __tsan_write_range_aligned(void* address, std::size_t bytes) {
  record_range(address, bytes, AccessKind::store, SITE);
}

#define ACCESS(name, log2_size, kind)                                                                       \
  void __tsan_##name(void*);                                                                                \
  void __tsan_##name(void* address) {                                                                       \
    simulator::record_access(reinterpret_cast<std::uintptr_t>(address), log2_size, AccessKind::kind, SITE); \
  }
#define VOLATILE_ACCESS(name, log2_size, kind)                                                           \
  void __tsan_##name(void*);                                                                             \
  void __tsan_##name(void* address) {                                                                    \
    simulator::record_any_access(reinterpret_cast<std::uintptr_t>(address), log2_size, AccessKind::kind, \
                                 SITE, true, simulator::strong_access);                                  \
  }
// clang's -tsan-instrument-read-before-write may report both at once
#define ACCESS_BOTH(name, log2_size)                                                                         \
  void __tsan_##name(void*);                                                                                 \
  void __tsan_##name(void* address) {                                                                        \
    simulator::record_access(reinterpret_cast<std::uintptr_t>(address), log2_size, AccessKind::load, SITE);  \
    simulator::record_access(reinterpret_cast<std::uintptr_t>(address), log2_size, AccessKind::store, SITE); \
  }
// The compiler's own: clang copies two words of a uint3 at once, which promises an alignment to 4 only. A
// GPU's compiler takes such a type apart, so it is no misaligned access of the kernel's.
#define UNALIGNED(name, log2_size, kind)                                       \
  void __tsan_unaligned_##name(void*);                                         \
  void __tsan_unaligned_##name(void* address) {                                \
    record_range(address, std::size_t{1} << log2_size, AccessKind::kind, SITE, \
                 log2_piece(std::size_t{1} << log2_size));                     \
  }
#define UNALIGNED_BOTH(name, log2_size)                                 \
  void __tsan_unaligned_##name(void*);                                  \
  void __tsan_unaligned_##name(void* address) {                         \
    for (const AccessKind kind : {AccessKind::load, AccessKind::store}) \
      record_range(address, std::size_t{1} << log2_size, kind, SITE,    \
                   log2_piece(std::size_t{1} << log2_size));            \
  }
#define ACCESSES(size, log2_size)                         \
  ACCESS(read##size, log2_size, load)                     \
  ACCESS(write##size, log2_size, store)                   \
  UNALIGNED(read##size, log2_size, load)                  \
  UNALIGNED(write##size, log2_size, store)                \
  VOLATILE_ACCESS(volatile_read##size, log2_size, load)   \
  VOLATILE_ACCESS(volatile_write##size, log2_size, store) \
  UNALIGNED(volatile_read##size, log2_size, load)         \
  UNALIGNED(volatile_write##size, log2_size, store)       \
  ACCESS_BOTH(read_write##size, log2_size)                \
  UNALIGNED_BOTH(read_write##size, log2_size)
#if defined(__x86_64__)
// Called where a hook that stands in the unit's own code leaves off (assembly/inlined_hooks.hpp): with the
// place to which a call would return.
void simulator_enter_block(std::uintptr_t);
void simulator_enter_block(std::uintptr_t returns_to) { basic_block(returns_to - 1); }
void simulator_enter_function(std::uintptr_t);
void simulator_enter_function(std::uintptr_t returns_to) {
  enter_function(__builtin_frame_address(0), returns_to - 1);
}
#define CALLED_LOAD(size, log2_size)                                                    \
  void simulator_load##size(std::uintptr_t, std::uintptr_t);                            \
  void simulator_load##size(std::uintptr_t address, std::uintptr_t returns_to) {        \
    simulator::record_any_access(address, log2_size, AccessKind::load, returns_to - 1); \
  }
CALLED_LOAD(1, 0)
CALLED_LOAD(2, 1)
CALLED_LOAD(4, 2)
CALLED_LOAD(8, 3)
CALLED_LOAD(16, 4)
#undef CALLED_LOAD
#endif

ACCESSES(1, 0)
ACCESSES(2, 1)
ACCESSES(4, 2)
ACCESSES(8, 3)
ACCESSES(16, 4)

// Called by a kernel itself (simulator/cuda/library.hpp).
void* simulator_memcpy(void*, const void*, std::size_t);
void* simulator_memcpy(void* to, const void* from, std::size_t bytes) {
  simulator::refuse_frame(reinterpret_cast<std::uintptr_t>(to), SITE);
  record_range(from, bytes, AccessKind::load, SITE, log2_piece_of_library(from));
  record_range(to, bytes, AccessKind::store, SITE, log2_piece_of_library(to),
               static_cast<const unsigned char*>(from));
  return std::memcpy(to, from, bytes);
}
void* simulator_memmove(void*, const void*, std::size_t);
void* simulator_memmove(void* to, const void* from, std::size_t bytes) {
  simulator::refuse_frame(reinterpret_cast<std::uintptr_t>(to), SITE);
  record_range(from, bytes, AccessKind::load, SITE, log2_piece_of_library(from));
  record_range(to, bytes, AccessKind::store, SITE, log2_piece_of_library(to),
               static_cast<const unsigned char*>(from));
  return std::memmove(to, from, bytes);
}
void* simulator_memset(void*, int, std::size_t);
void* simulator_memset(void* to, int value, std::size_t bytes) {
  simulator::refuse_frame(reinterpret_cast<std::uintptr_t>(to), SITE);
  std::array<unsigned char, 16> pattern;
  pattern.fill(static_cast<unsigned char>(value));
  record_range(to, bytes, AccessKind::store, SITE, log2_piece_of_library(to), pattern.data(), true);
  return std::memset(to, value, bytes);
}

// Called by compilers to copy or clear a type.
void* __tsan_memcpy(void*, const void*, std::size_t);
void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  simulator::refuse_frame(reinterpret_cast<std::uintptr_t>(to), SITE);
  record_range(from, bytes, AccessKind::load, SITE);
  record_range(to, bytes, AccessKind::store, SITE, 4, static_cast<const unsigned char*>(from));
  return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void*, const void*, std::size_t);
void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  simulator::refuse_frame(reinterpret_cast<std::uintptr_t>(to), SITE);
  record_range(from, bytes, AccessKind::load, SITE);
  record_range(to, bytes, AccessKind::store, SITE, 4, static_cast<const unsigned char*>(from));
  return std::memmove(to, from, bytes);
}
void* __tsan_memset(void*, int, std::size_t);
void* __tsan_memset(void* to, int value, std::size_t bytes) {
  simulator::refuse_frame(reinterpret_cast<std::uintptr_t>(to), SITE);
  std::array<unsigned char, 16> pattern;
  pattern.fill(static_cast<unsigned char>(value));
  record_range(to, bytes, AccessKind::store, SITE, 4, pattern.data(), true);
  return std::memset(to, value, bytes);
}

// The __atomic builtins, which a kernel may use in place of CUDA's functions; a block runs on one thread of
// the operating system, so plain accesses are indivisible. clang calls compare_exchange_val, g++ the other
// two. An order other than relaxed counts as a fence for this word alone: before what it releases, behind
// what it acquires. In front of a sequentially consistent operation nvcc puts a fence for all words.
#define BEFORE_ATOMIC(order)                                                                               \
  if (order == __ATOMIC_SEQ_CST)                                                                           \
    simulator::record_fence({true, simulator::Fencing::acquires_and_releases}, SITE);                      \
  if (releases(order) && order != __ATOMIC_SEQ_CST)                                                        \
  simulator::record_fence({true, simulator::Fencing::releases, reinterpret_cast<std::uintptr_t>(address)}, \
                          SITE)
#define BEHIND_ATOMIC(order)                                                                               \
  if (acquires(order))                                                                                     \
  simulator::record_fence({true, simulator::Fencing::acquires, reinterpret_cast<std::uintptr_t>(address)}, \
                          SITE)
#define RECORD_ATOMIC(bits, kind)                                                                        \
  simulator::refuse_frame(reinterpret_cast<std::uintptr_t>(address), SITE);                              \
  simulator::record_any_access(reinterpret_cast<std::uintptr_t>(address), std::countr_zero(bits##u / 8), \
                               AccessKind::kind, SITE, true, simulator::strong_access)
#define ATOMIC(bits, type)                                                                           \
  type __tsan_atomic##bits##_load(const volatile type*, int);                                        \
  type __tsan_atomic##bits##_load(const volatile type* address, int order) {                         \
    RECORD_ATOMIC(bits, load);                                                                       \
    const type value = *address;                                                                     \
    BEHIND_ATOMIC(order);                                                                            \
    return value;                                                                                    \
  }                                                                                                  \
  void __tsan_atomic##bits##_store(volatile type*, type, int);                                       \
  void __tsan_atomic##bits##_store(volatile type* address, type value, int order) {                  \
    BEFORE_ATOMIC(order);                                                                            \
    RECORD_ATOMIC(bits, store);                                                                      \
    *address = value;                                                                                \
  }                                                                                                  \
  ATOMIC_FETCH(bits, type, exchange, value)                                                          \
  ATOMIC_FETCH(bits, type, fetch_add, static_cast<type>(old + value))                                \
  ATOMIC_FETCH(bits, type, fetch_sub, static_cast<type>(old - value))                                \
  ATOMIC_FETCH(bits, type, fetch_and, static_cast<type>(old & value))                                \
  ATOMIC_FETCH(bits, type, fetch_or, static_cast<type>(old | value))                                 \
  ATOMIC_FETCH(bits, type, fetch_xor, static_cast<type>(old ^ value))                                \
  ATOMIC_FETCH(bits, type, fetch_nand, static_cast<type>(~(old & value)))                            \
  ATOMIC_COMPARE(bits, type, strong)                                                                 \
  ATOMIC_COMPARE(bits, type, weak)                                                                   \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type*, type, type, int, int);             \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* address, type expected, type value, \
                                                  int order, int) {                                  \
    BEFORE_ATOMIC(order);                                                                            \
    simulator::record_guess(reinterpret_cast<std::uintptr_t>(address));                              \
    RECORD_ATOMIC(bits, compare_and_swap);                                                           \
    const type old = *address;                                                                       \
    if (old == expected) *address = value;                                                           \
    note_compared(const_cast<type*>(address), old == expected, SITE);                                \
    BEHIND_ATOMIC(order);                                                                            \
    return old;                                                                                      \
  }
#define ATOMIC_FETCH(bits, type, name, expression)                                   \
  type __tsan_atomic##bits##_##name(volatile type*, type, int);                      \
  type __tsan_atomic##bits##_##name(volatile type* address, type value, int order) { \
    BEFORE_ATOMIC(order);                                                            \
    RECORD_ATOMIC(bits, atomic);                                                     \
    const type old = *address;                                                       \
    *address = expression;                                                           \
    note_changed(const_cast<type*>(address), *address != old, #name[0] == 'e');      \
    BEHIND_ATOMIC(order);                                                            \
    return old;                                                                      \
  }
#define ATOMIC_COMPARE(bits, type, strength)                                                                \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile type*, type*, type, int, int);             \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile type* address, type* expected, type value, \
                                                        int order, int) {                                   \
    BEFORE_ATOMIC(order);                                                                                   \
    simulator::record_guess(reinterpret_cast<std::uintptr_t>(address));                                     \
    RECORD_ATOMIC(bits, compare_and_swap);                                                                  \
    const type old = *address;                                                                              \
    const bool equal = old == *expected;                                                                    \
    if (equal) *address = value;                                                                            \
    *expected = old;                                                                                        \
    note_compared(const_cast<type*>(address), equal, SITE);                                                 \
    BEHIND_ATOMIC(order);                                                                                   \
    return equal;                                                                                           \
  }
ATOMIC(8, std::uint8_t)
ATOMIC(16, std::uint16_t)
ATOMIC(32, std::uint32_t)
ATOMIC(64, std::uint64_t)

void __tsan_atomic_thread_fence(int);
void __tsan_atomic_thread_fence(int order) {
  if (!acquires(order) && !releases(order)) return;
  const auto how = !releases(order)   ? simulator::Fencing::acquires
                   : !acquires(order) ? simulator::Fencing::releases
                                      : simulator::Fencing::acquires_and_releases;
  simulator::record_fence({true, how}, SITE);
}
void __tsan_atomic_signal_fence(int);
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
