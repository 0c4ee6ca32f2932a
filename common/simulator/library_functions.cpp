// SPDX-License-Identifier: MIT
// Functions of the C and C++ libraries as kernels call them (simulator/cuda/library.hpp). Called from
// elsewhere they do what they always do.
#include <assert.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

#include "simulator/cuda/intrinsics.hpp"
#include "simulator/machine.hpp"

// Inside the call that a report is to name, not behind it.
#define CALLED_FROM (reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) - 1)

namespace simulator {

namespace {

void refuse_allocation(std::uintptr_t site) {
  Machine& machine = Machine::instance();
  if (!machine.running() || machine.configuration().host_code) return;
  machine.fail(facts::Verdict::limit, "allocates memory, which is not simulated: it needs a GPU", site);
}

}  // namespace

void trap() { Machine::instance().fail(facts::Verdict::crash, "executed a trap", CALLED_FROM); }

long long thread_clock() {
  const Machine& machine = Machine::instance();
  return machine.running() ? machine.steps_of_thread() : 0;
}

}  // namespace simulator

extern "C" {

void* simulator_malloc(std::size_t bytes);
void* simulator_malloc(std::size_t bytes) {
  simulator::refuse_allocation(CALLED_FROM);
  return std::malloc(bytes);
}

void* simulator_calloc(std::size_t count, std::size_t bytes);
void* simulator_calloc(std::size_t count, std::size_t bytes) {
  simulator::refuse_allocation(CALLED_FROM);
  return std::calloc(count, bytes);
}

void* simulator_realloc(void* memory, std::size_t bytes);
void* simulator_realloc(void* memory, std::size_t bytes) {
  simulator::refuse_allocation(CALLED_FROM);
  return std::realloc(memory, bytes);
}

void* simulator_new(std::size_t bytes);
void* simulator_new(std::size_t bytes) {
  simulator::refuse_allocation(CALLED_FROM);
  return ::operator new(bytes);
}

// These stand in place of the C library's own, for the whole program.

clock_t clock() noexcept {
  const simulator::Machine& machine = simulator::Machine::instance();
  if (machine.running()) return static_cast<clock_t>(machine.steps_of_thread());
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1'000'000'000 / CLOCKS_PER_SEC);
}

#if defined(__GLIBC__)
void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) noexcept {
  simulator::Machine& machine = simulator::Machine::instance();
  if (machine.running())
    machine.fail(facts::Verdict::crash, std::string("failed an assertion: ") + expression, CALLED_FROM);
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
  std::abort();
}
#endif

}  // extern "C"
