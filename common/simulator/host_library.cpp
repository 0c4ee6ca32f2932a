// SPDX-License-Identifier: MIT
// Functions of the libraries that touch memory, as the compiled unit has them instead of the library's own
// (cuda/library.hpp): what they do is seen as if the unit did it, and what they allocate is known as its own.
#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "simulator/host_memory.hpp"
#include "simulator/machine.hpp"
#include "simulator/recorder.hpp"

namespace simulator {

namespace {

// Inside the call, not behind it: a report finds the line there.
#define CALL_SITE (reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1)

// Before memory is given to code of the unit. A function that works out a launch needs next to none.
void look_at_allocation(std::size_t bytes, std::uintptr_t site) {
  constexpr std::size_t most_mib = 256;
  Machine& machine = Machine::instance();
  if (!machine.running()) return;
  if (!machine.configuration().host_code)
    machine.fail(facts::Verdict::limit, "allocates memory, which is not simulated: it needs a GPU", site);
  constexpr std::size_t most = most_mib << 20;
  if (machine.configuration().own_memory && (bytes > most || HostMemory::instance().held() > most - bytes))
    machine.fail(facts::Verdict::limit, fmt::format("allocates more than {} MiB of memory", most_mib), site);
}

// Before memory is given back. (Functions of the CPU may give back what a library has allocated for them.)
void give_back(void* memory, std::uintptr_t site) {
  HostMemory& own = HostMemory::instance();
  Machine& machine = Machine::instance();
  const bool judged =
      machine.running() && (machine.configuration().own_memory || !machine.configuration().host_code);
  if (judged && !own.begins_block(memory))
    machine.fail(facts::Verdict::out_of_bounds, "frees memory that it has not allocated", site);
  own.freed(memory);
}

void* given(void* memory, std::size_t bytes) { return HostMemory::instance().allocated(memory, bytes); }

unsigned char byte_at(const void* address, std::uintptr_t site) {
  record_access(reinterpret_cast<std::uintptr_t>(address), 0, AccessKind::load, site);
  return *static_cast<const unsigned char*>(address);
}

template <class T>
[[gnu::always_inline]] inline void stored(const T* address, std::uintptr_t site) {
  refuse_frame(reinterpret_cast<std::uintptr_t>(address), site);
  record_access(reinterpret_cast<std::uintptr_t>(address), std::countr_zero(sizeof(T)), AccessKind::store,
                site);
}

int compared(const void* a, const void* b, std::size_t bytes, bool of_text, std::uintptr_t site) {
  for (std::size_t i = 0; i < bytes; ++i) {
    const unsigned char left = byte_at(static_cast<const char*>(a) + i, site),
                        right = byte_at(static_cast<const char*>(b) + i, site);
    if (left != right) return left < right ? -1 : 1;
    if (of_text && left == 0) return 0;
  }
  return 0;
}

// Whether a conversion would write the number of characters printed so far.
bool stores_into_arguments(const char* format) {
  for (const char* at = format; (at = std::strchr(at, '%')); ++at) {
    ++at;
    at += std::strspn(at, "0123456789$ #+-'.*hlLqjzt");
    if (*at == 'n') return true;
    if (*at == '\0') return false;
  }
  return false;
}

}  // namespace

}  // namespace simulator

// The unit knows them by these names alone.
#pragma GCC diagnostic ignored "-Wmissing-declarations"

extern "C" {

void* simulator_malloc(std::size_t bytes) {
  simulator::look_at_allocation(bytes, CALL_SITE);
  return simulator::given(std::malloc(bytes), bytes);
}

void* simulator_calloc(std::size_t count, std::size_t bytes) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all)) all = SIZE_MAX;
  simulator::look_at_allocation(all, CALL_SITE);
  return simulator::given(std::calloc(count, bytes), count * bytes);
}

void* simulator_realloc(void* memory, std::size_t bytes) {
  simulator::look_at_allocation(bytes, CALL_SITE);
  simulator::give_back(memory, CALL_SITE);
  return simulator::given(std::realloc(memory, bytes), bytes);
}

void* simulator_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  simulator::look_at_allocation(bytes, CALL_SITE);
  return simulator::given(std::aligned_alloc(alignment, bytes), bytes);
}

void simulator_free(void* memory) {
  simulator::give_back(memory, CALL_SITE);
  std::free(memory);
}

void* simulator_new(std::size_t bytes) {
  simulator::look_at_allocation(bytes, CALL_SITE);
  return simulator::given(::operator new(bytes), bytes);
}

void* simulator_new_nothrow(std::size_t bytes, const std::nothrow_t&) {
  simulator::look_at_allocation(bytes, CALL_SITE);
  return simulator::given(::operator new(bytes, std::nothrow), bytes);
}

void* simulator_new_aligned(std::size_t bytes, std::align_val_t alignment) {
  simulator::look_at_allocation(bytes, CALL_SITE);
  return simulator::given(::operator new(bytes, alignment), bytes);
}

void* simulator_new_aligned_nothrow(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) {
  simulator::look_at_allocation(bytes, CALL_SITE);
  return simulator::given(::operator new(bytes, alignment, std::nothrow), bytes);
}

void simulator_delete(void* memory) {
  simulator::give_back(memory, CALL_SITE);
  ::operator delete(memory);
}

void simulator_delete_aligned(void* memory, std::align_val_t alignment) {
  simulator::give_back(memory, CALL_SITE);
  ::operator delete(memory, alignment);
}

void simulator_delete_sized(void* memory, std::size_t, std::align_val_t alignment) {
  simulator::give_back(memory, CALL_SITE);
  ::operator delete(memory, alignment);
}

int simulator_printf(const char* format, ...) {
  if (simulator::Machine::instance().running() && simulator::stores_into_arguments(format))
    simulator::Machine::instance().fail(
        facts::Verdict::limit, "prints with %n, which writes to memory: that is not simulated", CALL_SITE);
  va_list arguments;
  va_start(arguments, format);
  const int printed = std::vprintf(format, arguments);
  va_end(arguments);
  return printed;
}

int simulator_fflush(std::FILE* file) {
  const bool known = !file || file == stdout || file == stderr;
  if (!known && simulator::Machine::instance().running())
    simulator::Machine::instance().fail(facts::Verdict::out_of_bounds, "flushes what is no file", CALL_SITE);
  return std::fflush(file);
}

std::size_t simulator_strlen(const char* text) {
  std::size_t length = 0;
  while (simulator::byte_at(text + length, CALL_SITE) != 0) ++length;
  return length;
}

int simulator_strcmp(const char* a, const char* b) {
  return simulator::compared(a, b, SIZE_MAX, true, CALL_SITE);
}

int simulator_strncmp(const char* a, const char* b, std::size_t most) {
  return simulator::compared(a, b, most, true, CALL_SITE);
}

int simulator_memcmp(const void* a, const void* b, std::size_t bytes) {
  return simulator::compared(a, b, bytes, false, CALL_SITE);
}

void* simulator_memchr(const void* memory, int wanted, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    const char* const at = static_cast<const char*>(memory) + i;
    if (simulator::byte_at(at, CALL_SITE) == static_cast<unsigned char>(wanted)) return const_cast<char*>(at);
  }
  return nullptr;
}

#define STORES_ONE(name, type, second)            \
  type simulator_##name(type x, second* result) { \
    simulator::stored(result, CALL_SITE);         \
    return name(x, result);                       \
  }
STORES_ONE(frexp, double, int)
STORES_ONE(frexpf, float, int)
STORES_ONE(modf, double, double)
STORES_ONE(modff, float, float)

double simulator_remquo(double x, double y, int* quotient) {
  simulator::stored(quotient, CALL_SITE);
  return remquo(x, y, quotient);
}

float simulator_remquof(float x, float y, int* quotient) {
  simulator::stored(quotient, CALL_SITE);
  return remquof(x, y, quotient);
}

void simulator_sincos(double x, double* sine, double* cosine) {
  simulator::stored(sine, CALL_SITE);
  simulator::stored(cosine, CALL_SITE);
  sincos(x, sine, cosine);
}

void simulator_sincosf(float x, float* sine, float* cosine) {
  simulator::stored(sine, CALL_SITE);
  simulator::stored(cosine, CALL_SITE);
  sincosf(x, sine, cosine);
}

}  // extern "C"
