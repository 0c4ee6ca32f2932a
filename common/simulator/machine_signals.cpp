// SPDX-License-Identifier: MIT
// How the kernel's signals and the end of its time become reports.
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "simulator/machine.hpp"

namespace simulator {

namespace {

constexpr std::array handled_signals{SIGSEGV, SIGFPE, SIGILL, SIGTRAP};

std::array<struct sigaction, handled_signals.size()> previous_actions;
struct sigaction previous_alarm, previous_stall_alarm;
alignas(16) std::array<std::byte, std::size_t{64} * 1024> handler_stack;

// Which signal the running thread has got, and where; and the access that the processor has refused, if that
// is what it was.
int received = 0;
std::uintptr_t received_at = 0;
std::optional<Machine::WildAccess> wild;

// Where the thread goes on: at the start of its stack again, for it will not go back.
[[noreturn]] void report_signal() {
  Machine& machine = Machine::instance();
  switch (received) {
    case SIGSEGV:
      if (wild) machine.end_wild_access(*wild, received_at);
      machine.overflow_stack(received_at);
    case SIGPROF:
      machine.end_overdue(received_at);
    case SIGVTALRM:
      machine.set_stalled();
      machine.fail(facts::Verdict::timeout,
                   "never ends: a thread repeats the same steps again and again, without an access to memory",
                   received_at);
    case SIGFPE:
      machine.fail(facts::Verdict::crash, "divided an integer by zero, or the smallest one by -1",
                   received_at);
    default:
      machine.fail(facts::Verdict::crash, "executed a trap", received_at);
  }
}

// Makes the interrupted thread call report_signal; false where that is not known how. `place` becomes where
// it was.
bool redirect(ucontext_t& context, std::uintptr_t stack_top, std::uintptr_t& place) {
  const std::uintptr_t aligned = stack_top & ~std::uintptr_t{15};
#if defined(__x86_64__)
  auto& registers = context.uc_mcontext.gregs;
  place = static_cast<std::uintptr_t>(registers[REG_RIP]);
  registers[REG_RIP] = reinterpret_cast<greg_t>(&report_signal);
  registers[REG_RSP] = static_cast<greg_t>(aligned - 8);  // as behind a call, whose return address lies there
  return true;
#elif defined(__aarch64__)
  place = context.uc_mcontext.pc;
  context.uc_mcontext.pc = reinterpret_cast<std::uintptr_t>(&report_signal);
  context.uc_mcontext.sp = aligned;
  return true;
#else
  (void)context, (void)aligned, (void)place;
  return false;
#endif
}

// Where the interrupted thread is.
std::uintptr_t place_in(const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return context.uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

// Of an access that the processor has refused.
std::optional<AccessKind> kind_in(const ucontext_t& context) {
#if defined(__x86_64__)
  constexpr greg_t writes = 2;  // of a page fault's error code
  return (context.uc_mcontext.gregs[REG_ERR] & writes) != 0 ? AccessKind::store : AccessKind::load;
#else
  (void)context;
  return std::nullopt;
#endif
}

// Of addresses that no memory can have, the system says nothing.
Machine::WildAccess wild_access(const siginfo_t& info, const ucontext_t& context) {
  if (info.si_code != SEGV_MAPERR && info.si_code != SEGV_ACCERR) return {};
  return {reinterpret_cast<std::uintptr_t>(info.si_addr), kind_in(context)};
}

void restore_actions() {
  for (std::size_t i = 0; i < handled_signals.size(); ++i)
    sigaction(handled_signals[i], &previous_actions[i], nullptr);
}

void on_signal(int signal, siginfo_t* info, void* context) {
  Machine& machine = Machine::instance();
  const bool by_processor = info->si_code > 0;
  if (by_processor && machine.running()) {
    const FiberStack& stack = machine.current().fiber.stack();
    const auto& interrupted = *static_cast<const ucontext_t*>(context);
    const bool overflows =
        signal == SIGSEGV && stack.overflows_at(reinterpret_cast<std::uintptr_t>(info->si_addr));
    wild.reset();
    if (signal == SIGSEGV && !overflows && machine.may_end_wild_access(place_in(interrupted)))
      wild = wild_access(*info, interrupted);
    const bool is_kernels = signal != SIGSEGV || overflows || wild;
    received = signal;
    if (is_kernels && redirect(*static_cast<ucontext_t*>(context),
                               reinterpret_cast<std::uintptr_t>(stack.top()), received_at))
      return;
  }
  // The instruction is executed again, and the signal goes to who asked for it before.
  restore_actions();
  if (!by_processor || signal == SIGTRAP) raise(signal);
}

// A thread that comes to no basic block for so many ticks of a clock will come to none. Fewer prove nothing:
// on a machine that is itself a guest, two may follow at once, in the midst of a change from thread to
// thread.
constexpr int stall_ticks = 10;

// Once the time is over the clock goes off every 20 ms, until the launch has ended.
constexpr std::chrono::milliseconds alarm_tick{20};
int alarms_without_block = 0;

void on_alarm(int signal, siginfo_t*, void* context) {
  constexpr std::int64_t next_block = 1;
  Machine& machine = Machine::instance();
  const bool came_to_none =
      machine.is_overdue() && machine.running() && recording.budget.fuel() == next_block;
  alarms_without_block = came_to_none ? alarms_without_block + 1 : 0;
  machine.set_overdue();
  recording.set_fuel(next_block);
  if (alarms_without_block < stall_ticks) return;
  alarms_without_block = 0;
  received = signal;
  redirect(*static_cast<ucontext_t*>(context),
           reinterpret_cast<std::uintptr_t>(machine.current().fiber.stack().top()), received_at);
}

// A loop of which a compiler makes a jump to itself comes to no basic block: no budget of blocks ends it.
constexpr std::chrono::milliseconds stall_tick{100};

// The thread that ran at the last tick, the blocks that were left of its turn, and for how many ticks
// already.
const Thread* stalled_thread = nullptr;
std::int64_t stalled_fuel = 0;
int ticks_without_block = 0;

void on_stall_tick(int signal, siginfo_t*, void* context) {
  Machine& machine = Machine::instance();
  const Thread* const thread = machine.running() ? &machine.current() : nullptr;
  const bool stalls = thread && thread == stalled_thread && recording.budget.fuel() == stalled_fuel;
  stalled_thread = thread;
  stalled_fuel = recording.budget.fuel();
  ticks_without_block = stalls ? ticks_without_block + 1 : 0;
  if (ticks_without_block < stall_ticks) return;
  ticks_without_block = 0;
  received = signal;
  redirect(*static_cast<ucontext_t*>(context),
           reinterpret_cast<std::uintptr_t>(machine.current().fiber.stack().top()), received_at);
}

void set_clock(decltype(ITIMER_PROF) which, std::chrono::milliseconds first, std::chrono::milliseconds then) {
  const auto value = [](std::chrono::milliseconds time) {
    return timeval{.tv_sec = time.count() / 1000, .tv_usec = time.count() % 1000 * 1000};
  };
  const itimerval clock{.it_interval = value(then), .it_value = value(first)};
  setitimer(which, &clock, nullptr);
}

}  // namespace

std::chrono::nanoseconds processor_time() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

KernelSignals::KernelSignals(std::optional<std::chrono::milliseconds> time_limit) {
  const stack_t stack{.ss_sp = handler_stack.data(), .ss_flags = 0, .ss_size = handler_stack.size()};
  sigaltstack(&stack, &previous_stack_);
  struct sigaction action {};
  action.sa_sigaction = &on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (std::size_t i = 0; i < handled_signals.size(); ++i)
    sigaction(handled_signals[i], &action, &previous_actions[i]);
  action.sa_sigaction = &on_alarm;
  action.sa_flags |= SA_RESTART;
  sigaction(SIGPROF, &action, &previous_alarm);
  action.sa_sigaction = &on_stall_tick;
  sigaction(SIGVTALRM, &action, &previous_stall_alarm);
  ticks_without_block = alarms_without_block = 0;
  set_clock(ITIMER_VIRTUAL, stall_tick, stall_tick);
  if (time_limit) set_clock(ITIMER_PROF, *time_limit, alarm_tick);
}

KernelSignals::~KernelSignals() {
  set_clock(ITIMER_PROF, {}, {});
  set_clock(ITIMER_VIRTUAL, {}, {});
  // A tick may still be on its way, for instance under a tool that delivers signals itself, as valgrind does:
  // to ignore a signal throws it away.
  for (const int late : {SIGPROF, SIGVTALRM}) signal(late, SIG_IGN);
  sigaction(SIGPROF, &previous_alarm, nullptr);
  sigaction(SIGVTALRM, &previous_stall_alarm, nullptr);
  restore_actions();
  sigaltstack(&previous_stack_, nullptr);
}

}  // namespace simulator
