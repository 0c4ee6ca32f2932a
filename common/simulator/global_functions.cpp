// SPDX-License-Identifier: MIT
// What the functions for global memory (__ldg, __stcg and their like) do with an address in shared memory: on
// a GPU they take it for one of global memory, where something else lies, or nothing.
#include <cstdint>

#include "simulator/cuda/intrinsics.hpp"
#include "simulator/cuda/types.hpp"
#include "simulator/machine.hpp"

namespace simulator {

namespace {

void require_global(const void* address, std::size_t bytes, AccessKind kind, void* returns_to) {
  if (!is_shared(address)) return;
  // Inside the call, by which a report finds the line.
  const std::uintptr_t site = reinterpret_cast<std::uintptr_t>(returns_to) - 1;
  Machine::instance().refuse_space(reinterpret_cast<std::uintptr_t>(address), bytes, kind, site);
}

}  // namespace

template <class T>
T loaded_read_only(T value, const void* address) {
  require_global(address, sizeof(T), AccessKind::load, __builtin_return_address(0));
  Machine::instance().note_read_only_load(reinterpret_cast<std::uintptr_t>(address), sizeof(T),
                                          reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1);
  return value;
}

template <class T>
T loaded_from_global(T value, const void* address) {
  require_global(address, sizeof(T), AccessKind::load, __builtin_return_address(0));
  return value;
}

template <class T>
T stored_in_global(T value, const void* address) {
  require_global(address, sizeof(T), AccessKind::store, __builtin_return_address(0));
  return value;
}

#define OF_GLOBAL(type)                                \
  template type loaded_from_global(type, const void*); \
  template type loaded_read_only(type, const void*);   \
  template type stored_in_global(type, const void*);
OF_GLOBAL(char)
OF_GLOBAL(signed char)
OF_GLOBAL(unsigned char)
OF_GLOBAL(short)
OF_GLOBAL(unsigned short)
OF_GLOBAL(int)
OF_GLOBAL(unsigned)
OF_GLOBAL(long)
OF_GLOBAL(unsigned long)
OF_GLOBAL(long long)
OF_GLOBAL(unsigned long long)
OF_GLOBAL(float)
OF_GLOBAL(double)
OF_GLOBAL(char2)
OF_GLOBAL(uchar2)
OF_GLOBAL(short2)
OF_GLOBAL(ushort2)
OF_GLOBAL(int2)
OF_GLOBAL(uint2)
OF_GLOBAL(longlong2)
OF_GLOBAL(ulonglong2)
OF_GLOBAL(float2)
OF_GLOBAL(double2)
OF_GLOBAL(char4)
OF_GLOBAL(uchar4)
OF_GLOBAL(short4)
OF_GLOBAL(ushort4)
OF_GLOBAL(int4)
OF_GLOBAL(uint4)
OF_GLOBAL(float4)
#undef OF_GLOBAL

}  // namespace simulator
