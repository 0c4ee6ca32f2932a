// SPDX-License-Identifier: MIT
#include "simulator/fiber.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

// void simulator_change_stack(void** from, void* to): puts the registers that a function must keep on the
// stack, and the place there into *from; goes on at `to` with what was put there. A fresh stack holds
// simulator_start_fiber as the address to return to, which calls the function in the first of these
// registers.
#if defined(__x86_64__)
asm(R"(
  .text
  .globl simulator_change_stack
  .hidden simulator_change_stack
  .type simulator_change_stack, @function
simulator_change_stack:
  pushq %rbp
  pushq %r15
  pushq %r14
  pushq %r13
  pushq %r12
  pushq %rbx
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %rbx
  popq %r12
  popq %r13
  popq %r14
  popq %r15
  popq %rbp
  ret
  .size simulator_change_stack, . - simulator_change_stack
  .globl simulator_start_fiber
  .hidden simulator_start_fiber
  .type simulator_start_fiber, @function
simulator_start_fiber:
  callq *%rbx
  ud2
  .size simulator_start_fiber, . - simulator_start_fiber
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .globl simulator_change_stack
  .hidden simulator_change_stack
  .type simulator_change_stack, %function
simulator_change_stack:
  sub sp, sp, #160
  stp x19, x20, [sp]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
  .size simulator_change_stack, . - simulator_change_stack
  .globl simulator_start_fiber
  .hidden simulator_start_fiber
  .type simulator_start_fiber, %function
simulator_start_fiber:
  blr x19
  brk #0
  .size simulator_start_fiber, . - simulator_start_fiber
)");
#endif

extern "C" {
[[gnu::visibility("hidden")]] void simulator_change_stack(void** from, void* to);
[[gnu::visibility("hidden")]] void simulator_start_fiber();
}

namespace simulator {

namespace {

constexpr std::size_t mapped_bytes =
    FiberStack::guard_bytes + FiberStack::bytes + FiberStack::calls_bytes + FiberStack::guard_bytes;
// An odd number of pages, so that the stacks' tops do not compete for a few sets of the processor's memory of
// where pages lie: a block's thousand threads then fit into it.
static_assert(mapped_bytes / 4096 % 2 == 1);

// Where leave() goes. One launch runs on one thread of the operating system, so one place is enough; it must
// not be thread-local, for such variables are the kernel's shared memory.
void* caller = nullptr;

// What simulator_change_stack puts on a stack: the words in all, those of the first register and of the
// address to return to.
#if defined(__x86_64__)
constexpr std::size_t saved_words = 7, first_register = 0, return_address = 6;
#elif defined(__aarch64__)
constexpr std::size_t saved_words = 20, first_register = 0, return_address = 11;
#endif

}  // namespace

namespace {

// Rooms whose stacks are gone. Never destroyed, as the last stacks go when the program ends.
std::vector<char*>& free_rooms() {
  static auto* const rooms = new std::vector<char*>;
  return *rooms;
}

// Room for a stack with its zones. A process gets it for many stacks at a time, and keeps it to its end: to
// map and unmap each of a block's thousand is half of what a short run costs.
char* take_room() {
  std::vector<char*>& free = free_rooms();
  if (free.empty()) {
    constexpr std::size_t stacks = 64;
    void* const mapping =
        mmap(nullptr, stacks * mapped_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    for (std::size_t i = stacks; i-- > 0;) free.push_back(static_cast<char*>(mapping) + i * mapped_bytes);
  }
  char* const room = free.back();
  if (mprotect(room + FiberStack::guard_bytes, mapped_bytes - 2 * FiberStack::guard_bytes,
               PROT_READ | PROT_WRITE) != 0)
    throw std::bad_alloc();
  free.pop_back();
  return room;
}

}  // namespace

FiberStack::FiberStack() {
  char* const room = take_room();
  constexpr std::uintptr_t line_bytes = 64, colours = colour_bytes / line_bytes - 3;
  const std::uintptr_t colour = reinterpret_cast<std::uintptr_t>(room) / colour_bytes % colours;
  top_ = room + guard_bytes + bytes - colour * line_bytes;
}

FiberStack::~FiberStack() {
  if (top_) free_rooms().push_back(reinterpret_cast<char*>(mapping()));
}

FiberStack::FiberStack(FiberStack&& other) noexcept : top_(std::exchange(other.top_, nullptr)) {}

bool FiberStack::overflows_at(std::uintptr_t address) const {
  return address - mapping() < guard_bytes ||
         address - (mapping() + mapped_bytes - guard_bytes) < guard_bytes;
}

void Fiber::enter() { simulator_change_stack(&caller, at_); }

void Fiber::leave(Fiber* next) { simulator_change_stack(&at_, next ? next->at_ : caller); }

void Fiber::prefetch() const {
  constexpr int line_bytes = 64, lines = 6;
  for (unsigned i = 0; i < lines; ++i)
    __builtin_prefetch(static_cast<const char*>(at_) + std::size_t{i} * line_bytes, 1);
}

void Fiber::restart() {
  auto* const frame = static_cast<std::uintptr_t*>(stack_.top()) - saved_words;
  std::fill_n(frame, saved_words, 0);
  frame[first_register] = reinterpret_cast<std::uintptr_t>(&fiber_body);
  frame[return_address] = reinterpret_cast<std::uintptr_t>(&simulator_start_fiber);
  at_ = frame;
  stack_.calls()[0] = no_call;
  calls_bytes_ = sizeof no_call;
  own_bytes_ = FiberStack::bytes;
}

void Fiber::exchange(Fiber& other) {
  stack_.exchange(other.stack_);
  std::swap(at_, other.at_);
  std::swap(calls_bytes_, other.calls_bytes_);
  std::swap(own_bytes_, other.own_bytes_);
}

}  // namespace simulator
