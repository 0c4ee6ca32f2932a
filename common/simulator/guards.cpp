// SPDX-License-Identifier: MIT
#include "simulator/guards.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "simulator/machine.hpp"
#include "simulator/program_image.hpp"

extern "C" {

// Where a unit was compiled with checks: the functions and the labels to which its pointers may lead.
extern const std::uintptr_t __start_simulator_calls[] __attribute__((weak));
extern const std::uintptr_t __stop_simulator_calls[] __attribute__((weak));
extern const std::uintptr_t __start_simulator_jumps[] __attribute__((weak));
extern const std::uintptr_t __stop_simulator_jumps[] __attribute__((weak));

namespace {

// For what runs outside of a launch.
std::array<simulator::CallPlace, 1024> calls_outside{simulator::no_call};

}  // namespace

simulator::Range simulator_own_stack, simulator_fixed;
simulator::CallPlace* simulator_calls_end = &calls_outside[1];
std::array<simulator::SeenAccess, 8> simulator_seen;
std::uint32_t simulator_candidates = 0;
std::uintptr_t simulator_saved_rdi = 0, simulator_saved_r11 = 0, simulator_target = 0,
               simulator_last_call = 0;

// Called by the functions below.
void simulator_unseen(std::uintptr_t address, std::size_t bytes, unsigned kind, std::uintptr_t site);
void simulator_look_at_target(std::uintptr_t target, bool is_call, std::uintptr_t site);
[[noreturn]] void simulator_lost(std::uintptr_t site);

void simulator_unseen(std::uintptr_t address, std::size_t bytes, unsigned kind, std::uintptr_t site) {
  constexpr unsigned writes = 1, behind_hook = 2;
  if (bytes == 0 || simulator_own_stack.contains(address, bytes)) return;
  if (kind & behind_hook) {
    for (std::size_t i = 0; i < simulator_seen.size(); ++i) {
      const simulator::Range seen{simulator_seen[i].address, simulator_seen[i].bytes};
      if ((simulator_candidates >> i & 1) && seen.contains(address, bytes)) return;
    }
  }
  simulator::record_unseen(address, bytes, (kind & writes) != 0, site - 1);
}

void simulator_look_at_target(std::uintptr_t target, bool is_call, std::uintptr_t site) {
  using Places = std::vector<std::uintptr_t>;
  const auto sorted = [](const std::uintptr_t* begin, const std::uintptr_t* end) {
    Places places(begin, end);
    std::sort(places.begin(), places.end());
    return places;
  };
  static const Places calls = sorted(__start_simulator_calls, __stop_simulator_calls),
                      jumps = sorted(__start_simulator_jumps, __stop_simulator_jumps);
  const Places& allowed = is_call ? calls : jumps;
  if (std::binary_search(allowed.begin(), allowed.end(), target)) {
    if (is_call) simulator_last_call = target;
    return;
  }
  simulator::Machine& machine = simulator::Machine::instance();
  if (!machine.running()) std::abort();
  machine.fail(facts::Verdict::crash,
               is_call ? "calls through a pointer that holds no function of the file"
                       : "jumps through a pointer that holds no place in it",
               site - 1);
}

void simulator_lost(std::uintptr_t site) {
  simulator::Machine& machine = simulator::Machine::instance();
  if (!machine.running()) std::abort();
  machine.fail(facts::Verdict::out_of_bounds,
               "cannot return: it wrote past the end of a local array, over the place that it came from",
               site - 1);
}

}  // extern "C"

#if defined(__x86_64__)
// Nothing of the caller's changes, flags included, but %r10 and %r11 where a function begins and ends.
asm(R"(
  .text
  .macro function name
  .globl \name
  .hidden \name
  .type \name, @function
\name:
  .endm

# A function begins. Entries of calls that have ended without a return, by an exception or a jump, go.
  function simulator_enter
  movq simulator_calls_end(%rip), %r11
  leaq 8(%rsp), %r10
1:
  cmpq %r10, -8(%r11)
  jbe 3f
  movq %r10, 16(%r11)
  movq %rbp, 8(%r11)
  cmpq $-1, -8(%r11)
  jne 2f
  subq simulator_own_stack(%rip), %r10
  movq %r10, simulator_own_stack+8(%rip)
2:
  movq 8(%rsp), %r10
  movq %r10, (%r11)
  addq $24, %r11
  movq %r11, simulator_calls_end(%rip)
  ret
3:
  subq $24, %r11
  jmp 1b

# It is about to return.
  function simulator_leave
  movq simulator_calls_end(%rip), %r11
  leaq 8(%rsp), %r10
1:
  cmpq %r10, -8(%r11)
  jne 2f
  movq 8(%rsp), %r10
  cmpq %r10, -24(%r11)
  jne 3f
  cmpq %rbp, -16(%r11)
  jne 3f
  subq $24, %r11
  movq %r11, simulator_calls_end(%rip)
  ret
2:
  ja 3f
  subq $24, %r11
  jmp 1b
3:
  movq (%rsp), %rdi
  call simulator_lost

# %rdi: an address. Usually it is the thread's own.
  .macro check prefix thread name bytes kind
  function simulator_check\prefix\()_\name\bytes
  pushfq
  pushq %rax
  .if \thread
  addq %fs:0, %rdi
  .endif
  movq %rdi, %rax
  subq simulator_own_stack(%rip), %rax
  leaq \bytes(%rax), %rax
  cmpq simulator_own_stack+8(%rip), %rax
  ja 1f
  popq %rax
  popfq
  ret
1:
  .if \kind == 0
  movq %rdi, %rax
  subq simulator_fixed(%rip), %rax
  leaq \bytes(%rax), %rax
  cmpq simulator_fixed+8(%rip), %rax
  ja 2f
  popq %rax
  popfq
  ret
2:
  .endif
  pushq $\kind
  pushq $\bytes
  jmp simulator_slow
  .endm
  .irp bytes, 1, 2, 4, 8, 16, 32, 64
  check _own 0 read \bytes 0
  check _own 0 write \bytes 1
  check _own 0 read_behind \bytes 2
  check _own 0 write_behind \bytes 3
  check _thread 1 read \bytes 0
  check _thread 1 write \bytes 1
  check _thread 1 read_behind \bytes 2
  check _thread 1 write_behind \bytes 3
  .endr

  .macro save
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  pushq %r10
  pushq %r11
  pushq simulator_saved_rdi(%rip)
  pushq simulator_saved_r11(%rip)
  pushq %rbp
  movq %rsp, %rbp
  subq $512, %rsp
  andq $-16, %rsp
  fxsave64 (%rsp)
  cld
  .endm
  .macro restore
  fxrstor64 (%rsp)
  movq %rbp, %rsp
  popq %rbp
  popq simulator_saved_r11(%rip)
  popq simulator_saved_rdi(%rip)
  popq %r11
  popq %r10
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  .endm

# On the stack: the bytes, the kind, %rax, flags, the place behind the call.
simulator_slow:
  save
  movq 88(%rbp), %rsi
  movq 96(%rbp), %rdx
  movq 120(%rbp), %rcx
  call simulator_unseen
  restore
  addq $16, %rsp
  popq %rax
  popfq
  ret

# %rcx times so many bytes, or once.
  .macro check_range name bytes once copies
  function simulator_check_\name\bytes
  pushfq
  pushq %rax
  save
  .if \copies
  movq %rsi, %rdi
  .if \once
  movl $\bytes, %esi
  .else
  imulq $\bytes, %rcx, %rsi
  .endif
  xorl %edx, %edx
  movq 104(%rbp), %rcx
  call simulator_unseen
  movq 56(%rbp), %rdi
  movq 80(%rbp), %rcx
  .endif
  .if \once
  movl $\bytes, %esi
  .else
  imulq $\bytes, %rcx, %rsi
  .endif
  movl $1, %edx
  movq 104(%rbp), %rcx
  call simulator_unseen
  restore
  popq %rax
  popfq
  ret
  .endm
  .irp bytes, 1, 2, 4, 8
  check_range fill \bytes 0 0
  check_range copy \bytes 0 1
  check_range one_fill \bytes 1 0
  check_range one_copy \bytes 1 1
  .endr

# %r11: where a call or a jump leads.
  .macro check_target name is_call
  function simulator_check_\name
  pushfq
  pushq %rax
  .if \is_call
  cmpq simulator_last_call(%rip), %r11
  je 1f
  .endif
  save
  movq %r11, %rdi
  movl $\is_call, %esi
  movq 104(%rbp), %rdx
  call simulator_look_at_target
  restore
1:
  popq %rax
  popfq
  ret
  .endm
  check_target call 1
  check_target jump 0
  .purgem function
  .purgem check
  .purgem save
  .purgem restore
  .purgem check_range
  .purgem check_target
)");
#endif
