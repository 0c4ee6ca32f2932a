// SPDX-License-Identifier: MIT
#include "simulator/fiber.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

// int simulator_change_stack(void** from, void* to, int result): puts the registers that a function must keep
// on the stack, and the place there into *from; goes on at `to` with what was put there, where it returns the
// result. simulator_jump_to_stack does the same. They differ in what the processor expects of the returns
// that follow (fiber.hpp). simulator_begin_stack begins at the top of a stack with a program and its
// arguments, and keeps nothing there but where these return to: what lies there is the program's to change,
// and a thread's stack is to be small.
// simulator_go_to keeps nothing.
#if defined(__x86_64__)
asm(R"(
  .text
  .macro hidden_function name
  .globl \name
  .hidden \name
  .type \name, @function
\name:
  .endm
  .macro keep_registers
  pushq %rbp
  pushq %r15
  pushq %r14
  pushq %r13
  pushq %r12
  pushq %rbx
  movq %rsp, (%rdi)
  .endm
  .macro restore_registers
  popq %rbx
  popq %r12
  popq %r13
  popq %r14
  popq %r15
  popq %rbp
  .endm

  hidden_function simulator_change_stack
  keep_registers
  movq %rsi, %rsp
  movl %edx, %eax
  restore_registers
  ret
  .size simulator_change_stack, . - simulator_change_stack

  hidden_function simulator_jump_to_stack
  keep_registers
  movq %rsi, %rsp
  movl %edx, %eax
  restore_registers
  popq %rcx
  jmpq *%rcx
  .size simulator_jump_to_stack, . - simulator_jump_to_stack

  hidden_function simulator_begin_stack
  keep_registers
  movq simulator_unset_register(%rip), %rbx
  movq %rbx, %r12
  movq %rbx, %r13
  movq %rbx, %r14
  movq %rbx, %r15
  movq %rbx, %rbp
  movq %rsi, %rsp
  movq %rcx, %rdi
  leaq 2f(%rip), %rcx
  pushq %rcx
  jmpq *%rdx
1:
  movq %rdx, %rdi
  callq *%rax
2:
  callq simulator_next_program
  testq %rax, %rax
  jne 1b
  movq simulator_caller(%rip), %rsp
  restore_registers
  popq %rcx
  jmpq *%rcx
  .size simulator_begin_stack, . - simulator_begin_stack

  hidden_function simulator_go_to
  movl 8(%rdi), %eax
  movq (%rdi), %rsp
  restore_registers
  popq %rcx
  jmpq *%rcx
  .size simulator_go_to, . - simulator_go_to
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .macro hidden_function name
  .globl \name
  .hidden \name
  .type \name, %function
\name:
  .endm
  .macro keep_registers
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
  .endm
  .macro restore_registers
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
  .endm

  hidden_function simulator_change_stack
  keep_registers
  mov sp, x1
  mov w0, w2
  restore_registers
  ret
  .size simulator_change_stack, . - simulator_change_stack

  hidden_function simulator_jump_to_stack
  keep_registers
  mov sp, x1
  mov w0, w2
  restore_registers
  br x30
  .size simulator_jump_to_stack, . - simulator_jump_to_stack

  hidden_function simulator_begin_stack
  keep_registers
  mov sp, x1
  adrp x9, simulator_unset_register
  ldr x19, [x9, :lo12:simulator_unset_register]
  mov x20, x19
  mov x21, x19
  mov x22, x19
  mov x23, x19
  mov x24, x19
  mov x25, x19
  mov x26, x19
  mov x27, x19
  mov x28, x19
  mov x29, x19
  mov x0, x3
  adr x30, 2f
  br x2
1:
  mov x8, x0
  mov x0, x1
  blr x8
2:
  bl simulator_next_program
  cbnz x0, 1b
  adrp x1, simulator_caller
  ldr x1, [x1, :lo12:simulator_caller]
  mov sp, x1
  restore_registers
  br x30
  .size simulator_begin_stack, . - simulator_begin_stack

  hidden_function simulator_go_to
  ldr w1, [x0, #8]
  ldr x2, [x0]
  mov sp, x2
  mov w0, w1
  restore_registers
  br x30
  .size simulator_go_to, . - simulator_go_to
)");
#endif

extern "C" {
[[gnu::visibility("hidden")]] int simulator_change_stack(void** from, void* to, int result);
[[gnu::visibility("hidden")]] int simulator_jump_to_stack(void** from, void* to, int result);
[[gnu::visibility("hidden")]] int simulator_begin_stack(void** from, void* top, void (*program)(const void*),
                                                        const void* arguments);
}

// Where leave() goes. One launch runs on one thread of the operating system, so one place is enough; it must
// not be thread-local, for such variables are the kernel's shared memory.
extern "C" [[gnu::visibility("hidden")]] void* simulator_caller;
void* simulator_caller = nullptr;
extern "C" [[gnu::visibility("hidden")]] const void* simulator_unset_register;
const void* simulator_unset_register = nullptr;

namespace simulator {

namespace {

constexpr std::size_t mapped_bytes =
    FiberStack::guard_bytes + FiberStack::bytes + FiberStack::calls_bytes + FiberStack::guard_bytes;
// An odd number of pages, so that the stacks' tops do not compete for a few sets of the processor's memory of
// where pages lie: a block's thousand threads then fit into it.
static_assert(mapped_bytes / 4096 % 2 == 1);

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
  top_ = room + guard_bytes + bytes - colour * line_bytes - sizeof(CallPlace::stack) - sizeof(CallPlace);
}

FiberStack::~FiberStack() {
  if (top_) free_rooms().push_back(reinterpret_cast<char*>(mapping()));
}

FiberStack::FiberStack(FiberStack&& other) noexcept : top_(std::exchange(other.top_, nullptr)) {}

bool FiberStack::overflows_at(std::uintptr_t address) const {
  return address - mapping() < guard_bytes ||
         address - (mapping() + mapped_bytes - guard_bytes) < guard_bytes;
}

void Fiber::spoil_registers() {
  simulator_unset_register = reinterpret_cast<const void*>(&simulator_begin_stack);
}

Fiber::Fiber() {
  at_ = stack_.top();
  calls_end_ = stack_.calls();
  *static_cast<std::uintptr_t*>(stack_.top()) = no_call.stack;
}

void Fiber::enter(int result) { simulator_jump_to_stack(&simulator_caller, at_, result); }

void Fiber::begin_with(const facts::ThreadProgram& program) {
  simulator_begin_stack(&simulator_caller, stack_.top(), program.run, program.arguments);
}

int Fiber::leave(Fiber* next, int result) {
  return simulator_change_stack(&at_, next ? next->at_ : simulator_caller, result);
}

int Fiber::leave_by_jump(Fiber* next, int result) {
  return simulator_jump_to_stack(&at_, next ? next->at_ : simulator_caller, result);
}

int Fiber::leave_to_begin(Fiber& next, const facts::ThreadProgram& program) {
  return simulator_begin_stack(&at_, next.stack_.top(), program.run, program.arguments);
}

}  // namespace simulator
