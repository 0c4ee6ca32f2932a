// SPDX-License-Identifier: MIT
// The out-of-line side of the functions in simulator/cuda: what the running thread asks of the machine.
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <limits>

#include "simulator/cuda/atomics.hpp"
#include "simulator/cuda/intrinsics.hpp"
#include "simulator/cuda/types.hpp"
#include "simulator/cuda/warp.hpp"
#include "simulator/machine.hpp"
#include "simulator/model_device.hpp"
#include "simulator/program_image.hpp"
#include "simulator/recorder.hpp"

namespace simulator {

LaunchDevice launch_device;

unsigned launch_multiprocessors() {
  launch_device.was_asked = true;
  return launch_device.multiprocessors;
}

unsigned launch_resident_blocks(const void* kernel, unsigned threads, std::size_t dynamic_shared_bytes) {
  const ProgramImage& image = ProgramImage::instance();
  const ProgramImage::Function* const function = image.function_at(reinterpret_cast<std::uintptr_t>(kernel));
  facts::BlockNeeds block{.threads = threads, .shared_bytes = dynamic_shared_bytes};
  if (function) {
    block.shared_bytes += image.static_shared_bytes(*function);
    const auto registers = launch_device.registers.find(function->linker_name);
    if (registers != launch_device.registers.end()) block.registers = registers->second;
  }
  return simulator::resident_blocks(block, launch_device.limits);
}

namespace {

template <class T>
T combined(AtomicOperation operation, T old, T operand, T compare) {
  switch (operation) {
    case AtomicOperation::add:
      // Unsigned, because atomics wrap around.
      if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(old) + static_cast<U>(operand));
      } else {
        return old + operand;
      }
    case AtomicOperation::exchange:
      return operand;
    case AtomicOperation::min:
      return operand < old ? operand : old;
    case AtomicOperation::max:
      return old < operand ? operand : old;
    case AtomicOperation::inc:
      return old >= operand ? T{0} : static_cast<T>(old + 1);
    case AtomicOperation::dec:
      return old == T{0} || old > operand ? operand : static_cast<T>(old - 1);
    case AtomicOperation::compare_and_swap:
      return old == compare ? operand : old;
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    switch (operation) {
      case AtomicOperation::sub:
        return static_cast<T>(static_cast<U>(old) - static_cast<U>(operand));
      case AtomicOperation::bitwise_and:
        return old & operand;
      case AtomicOperation::bitwise_or:
        return old | operand;
      case AtomicOperation::bitwise_xor:
        return old ^ operand;
      default:
        break;
    }
  }
  return old;
}

// Whether the operation leaves the same in a word whatever that held.
template <class T>
bool overwrites(AtomicOperation operation, T operand) {
  using enum AtomicOperation;
  using Limits = std::numeric_limits<T>;
  if (operation == exchange) return true;
  if constexpr (std::is_integral_v<T>) {
    if (operation == bitwise_and || operation == inc || operation == dec) return operand == T{0};
    if (operation == bitwise_or) return operand == static_cast<T>(~T{0});
    if (operation == AtomicOperation::min) return operand == Limits::min();
    if (operation == AtomicOperation::max) return operand == Limits::max();
  }
  return false;
}

// The address of the instruction that called, by which a report finds the line: inside the call, not after
// it.
std::uintptr_t call_site(void* return_address) {
  return reinterpret_cast<std::uintptr_t>(return_address) - 1;
}

unsigned component(const uint3& of, unsigned axis) { return axis == 0 ? of.x : axis == 1 ? of.y : of.z; }

}  // namespace

unsigned thread_index(unsigned axis) { return Machine::instance().current().coordinates[axis]; }
unsigned block_index(unsigned axis) { return component(launch_indices.block, axis); }
unsigned block_extent(unsigned axis) { return component(launch_indices.block_extent, axis); }
unsigned grid_extent(unsigned axis) { return component(launch_indices.grid_extent, axis); }

template <class Bits>
Bits load_vector(SIMULATOR_NO_ESCAPE const void* address) {
  record_access(reinterpret_cast<std::uintptr_t>(address), std::countr_zero(sizeof(Bits)), AccessKind::load,
                call_site(__builtin_return_address(0)));
  Bits bits;
  std::memcpy(&bits, address, sizeof(Bits));
  return bits;
}

template <class Bits>
void store_vector(SIMULATOR_NO_ESCAPE void* address, Bits bits) {
  refuse_frame(reinterpret_cast<std::uintptr_t>(address), call_site(__builtin_return_address(0)));
  record_access(reinterpret_cast<std::uintptr_t>(address), std::countr_zero(sizeof(Bits)), AccessKind::store,
                call_site(__builtin_return_address(0)));
  std::memcpy(address, &bits, sizeof(Bits));
}

#define INSTANTIATE(bits)                                     \
  template bits load_vector(SIMULATOR_NO_ESCAPE const void*); \
  template void store_vector(SIMULATOR_NO_ESCAPE void*, bits);
INSTANTIATE(std::uint16_t)
INSTANTIATE(std::uint32_t)
INSTANTIATE(std::uint64_t)
INSTANTIATE(Bits128)
#undef INSTANTIATE

namespace {

constexpr AccessKind kind_of(AtomicForm form) {
  return static_cast<AccessKind>(static_cast<unsigned>(AccessKind::atomic) + static_cast<unsigned>(form));
}
static_assert(kind_of(AtomicForm::adds_one) == AccessKind::atomic_increment &&
              kind_of(AtomicForm::at_uniform_place) == AccessKind::atomic_reduction &&
              kind_of(AtomicForm::generic) == AccessKind::generic_atomic &&
              kind_of(AtomicForm::cas_loop) == AccessKind::cas_loop &&
              kind_of(AtomicForm::cas_loop_if_changed) == AccessKind::cas_loop_if_changed);

// How an atomic is performed, in one register.
struct Choice {
  std::uint8_t operation, form, form_if_used, scope;
};

// Of a number of 64 bits: one that grows towards what the operation makes of it.
template <class T>
std::uint64_t towards(AtomicOperation operation, T number) {
  static_assert(std::is_integral_v<T>);
  constexpr std::uint64_t sign = std::is_signed_v<T> ? std::uint64_t{1} << 63 : 0;
  const std::uint64_t larger = static_cast<std::uint64_t>(number) ^ sign;
  return operation == AtomicOperation::min ? ~larger : larger;
}

// Any atomic, at once. Jumped to as the last thing that its callers do, so that the frame which it refuses to
// change is theirs.
template <class T>
[[gnu::noinline]] T perform_now(Choice choice, T* address, T operand, T compare, std::uintptr_t site) {
  constexpr unsigned log2_size = std::countr_zero(sizeof(T));
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  const auto operation = static_cast<AtomicOperation>(choice.operation);
  const bool compares = operation == AtomicOperation::compare_and_swap;
  const auto form = static_cast<AtomicForm>(choice.form);
  const auto kind = !compares                     ? kind_of(form)
                    : form == AtomicForm::generic ? AccessKind::generic_compare_and_swap
                                                  : AccessKind::compare_and_swap;
  const bool recorded = static_cast<AtomicScope>(choice.scope) == AtomicScope::block
                            ? record_any_access(place, log2_size, kind, site, true, block_scope)
                            : record_access(place, log2_size, kind, site);
  if (recorded) {
    recording.last_atomic->kind_if_used =
        compares ? kind : kind_of(static_cast<AtomicForm>(choice.form_if_used));
  } else {
    refuse_frame(place, site);
    // libcu++ finds out that a word is a thread's own, and makes no atomic of it.
    const bool is_own = simulator_own_stack.contains(place, sizeof(T)) && form != AtomicForm::generic;
    if (is_own && Machine::instance().running()) Machine::instance().refuse_own(site);
  }
  if constexpr (std::is_integral_v<T>) {
    if (recorded && kind == AccessKind::cas_loop_if_changed)
      record_goal({.wanted = towards(operation, operand), .found = towards(operation, *address)});
  }
  const T old = *address;
  const T changed = combined(operation, old, operand, compare);
  *address = changed;
  if (changed != old) {
    Machine::instance().note_progress();
    if (compares) record_lock(place);
  } else if (operation == AtomicOperation::exchange) {
    record_equal_exchange();
  } else {
    record_unchanged();
  }
  if (operation == AtomicOperation::exchange) record_exchange(place);
  if (recorded && overwrites(operation, operand)) record_overwrite();
  if (compares) Machine::instance().note_swap(place, old == compare, site);
  return old;
}

template <class T>
struct SwapOperands {
  Choice choice;
  T* address;
  T value, compare, old;
  std::uintptr_t site;
};

template <class T>
bool make_swap(void* operands) {
  auto& swap = *static_cast<SwapOperands<T>*>(operands);
  swap.old = perform_now<T>(swap.choice, swap.address, swap.value, swap.compare, swap.site);
  return swap.old == swap.compare;
}

// Any atomic. (Jumped to, and jumps on.)
template <class T>
[[gnu::noinline]] T perform_any(Choice choice, T* address, T operand, T compare, std::uintptr_t site) {
  const bool compares = static_cast<AtomicOperation>(choice.operation) == AtomicOperation::compare_and_swap;
  Machine& machine = Machine::instance();
  if (!compares || !machine.meets_at_swap(reinterpret_cast<std::uintptr_t>(address), sizeof(T), site))
    return perform_now<T>(choice, address, operand, compare, site);
  record_guess(reinterpret_cast<std::uintptr_t>(address));
  SwapOperands<T> swap{choice, address, operand, compare, T{}, site};
  machine.wait_at_swap({&make_swap<T>, &swap}, site);
  return swap.old;
}

// The old value of an atomic that has changed nothing. (Jumped to, as the function above.)
template <class T>
[[gnu::noinline]] T left_unchanged(T old) {
  record_unchanged();
  return old;
}

// The same, and in short what most atomics are: additions of a form that is known here, where the lanes
// before have gone the same way.
template <AtomicForm form, AtomicForm form_if_used, class T>
[[gnu::always_inline]] inline T add(T* address, T operand, T compare, std::uintptr_t site) {
  constexpr Choice choice{static_cast<std::uint8_t>(AtomicOperation::add), static_cast<std::uint8_t>(form),
                          static_cast<std::uint8_t>(form_if_used),
                          static_cast<std::uint8_t>(AtomicScope::device)};
  constexpr unsigned log2_size = std::countr_zero(sizeof(T));
  if (join_access(reinterpret_cast<std::uintptr_t>(address), log2_size, kind_of(form), site)) {
    const T old = *address;
    const T changed = combined(AtomicOperation::add, old, operand, compare);
    *address = changed;
    if (changed == old) return left_unchanged(old);
    Machine::instance().note_progress();
    return old;
  }
  return perform_any(choice, address, operand, compare, site);
}

// What a GPU makes of it in shared memory, for which few operations are instructions.
template <class T>
constexpr bool has_few_in_shared_memory = sizeof(T) == sizeof(std::uint64_t) || std::is_floating_point_v<T>;

template <class T>
AtomicForm in_shared_memory(AtomicOperation operation, AtomicForm form) {
  using enum AtomicOperation;
  if (!has_few_in_shared_memory<T> || operation == exchange || operation == compare_and_swap ||
      form == AtomicForm::generic)
    return form;
  return operation == min || operation == max ? AtomicForm::cas_loop_if_changed : AtomicForm::cas_loop;
}

// The instruction that only counts the lanes gives them no results.
AtomicForm if_used(AtomicForm form) { return form == AtomicForm::adds_one ? AtomicForm::usual : form; }

template <class T>
[[gnu::always_inline]] inline T perform(AtomicOperation operation, AtomicForm form, AtomicForm form_if_used,
                                        AtomicScope scope, T* address, T operand, T compare,
                                        std::uintptr_t site) {
  return perform_any({static_cast<std::uint8_t>(operation), static_cast<std::uint8_t>(form),
                      static_cast<std::uint8_t>(form_if_used), static_cast<std::uint8_t>(scope)},
                     address, operand, compare, site);
}

AtomicOperation operation_of(AtomicChoice choice) { return static_cast<AtomicOperation>(choice & 0xff); }
AtomicForm form_of(AtomicChoice choice) { return static_cast<AtomicForm>(choice >> 8 & 0xff); }
AtomicScope scope_of(AtomicChoice choice) { return static_cast<AtomicScope>(choice >> 16); }

}  // namespace

template <class T>
T perform_atomic(AtomicChoice choice, T* address, T operand, T compare) {
  using enum AtomicForm;
  const std::uintptr_t site = call_site(__builtin_return_address(0));
  if constexpr (!has_few_in_shared_memory<T>) {
    if (choice == choice_of(AtomicOperation::add, adds_one))
      return add<adds_one, usual>(address, operand, compare, site);
    if (choice == choice_of(AtomicOperation::add, usual))
      return add<usual, usual>(address, operand, compare, site);
  }
  const AtomicForm form = in_shared_memory<T>(operation_of(choice), form_of(choice));
  return perform(operation_of(choice), form, if_used(form), scope_of(choice), address, operand, compare,
                 site);
}

// What nvcc makes of them: the lanes' operands are reduced to one, unless it is 1 and in shared memory, for
// which there is an instruction that counts the lanes. Where results are used it adds up what comes before
// each lane; there is no such way for the largest and the smallest, or for bits.
template <class T>
T perform_uniform_atomic(AtomicChoice choice, T* address, T operand, T compare) {
  using enum AtomicForm;
  const AtomicOperation operation = operation_of(choice);
  const AtomicForm form = in_shared_memory<T>(operation, form_of(choice));
  const bool can_be = std::is_integral_v<T> && sizeof(T) == 4 && can_be_reduced(operation) &&
                      (form == usual || form == adds_one);
  const bool is_sum = operation == AtomicOperation::add || operation == AtomicOperation::sub;
  const bool is_reduced = can_be && (form == usual || !is_shared(address));
  const std::uintptr_t site = call_site(__builtin_return_address(0));
  if (is_reduced && choice == choice_of(AtomicOperation::add, form))
    return add<at_uniform_place, at_uniform_place>(address, operand, compare, site);
  return perform(operation, is_reduced ? at_uniform_place : form,
                 can_be && is_sum ? at_uniform_place : if_used(form), scope_of(choice), address, operand,
                 compare, site);
}

namespace {

// What an atomic that has found `old` is given where numbers are dealt out or skipped; the word then holds
// what it would hold after that.
template <class T, class Draws>
T dealt(T old, Draws& draws) {
  const std::uintptr_t word = word_of_last_atomic();
  if constexpr (std::is_integral_v<T>) {
    auto* const counter = reinterpret_cast<T*>(word);
    if (!counter || is_shared(counter)) return old;
    const T changed = *counter;
    Machine& machine = Machine::instance();
    const auto found =
        static_cast<T>(draws.found(word, machine.block_number(), machine.current().number,
                                   static_cast<std::uint64_t>(old), static_cast<std::uint64_t>(changed)));
    *counter = static_cast<T>(found + (changed - old));
    return found;
  } else {
    return old;
  }
}

}  // namespace

template <class T>
T used(T old) {
  record_result_used();
  Machine& machine = Machine::instance();
  if (!machine.running()) return old;
  if (DealtDraws* const draws = machine.dealt_draws()) old = dealt(old, *draws);
  if (SkippedDraws* const draws = machine.skipped_draws()) old = dealt(old, *draws);
  machine.keep_step(call_site(__builtin_return_address(0)));
  return old;
}

#define INSTANTIATE(type)                                                \
  template type perform_atomic(AtomicChoice, type*, type, type);         \
  template type perform_uniform_atomic(AtomicChoice, type*, type, type); \
  template type used(type);
INSTANTIATE(unsigned short)
INSTANTIATE(int)
INSTANTIATE(unsigned)
INSTANTIATE(long long)
INSTANTIATE(unsigned long long)
INSTANTIATE(float)
INSTANTIATE(double)

std::uint64_t warp_operation(WarpOperation operation, unsigned mask, std::uint64_t value, int argument,
                             int width, unsigned bytes) {
  return Machine::instance().wait_for_lanes(
      {operation, static_cast<std::uint8_t>(bytes), mask, value, argument, width, 0},
      call_site(__builtin_return_address(0)));
}

unsigned active_mask() {
  return Machine::instance().wait_for_active_mask(call_site(__builtin_return_address(0)));
}

bool is_shared(const void* address) {
  return shared_offset(address) < ProgramImage::instance().shared_memory().size();
}

bool is_local(const void* address) {
  if (!Machine::instance().running()) return false;
  const auto top = reinterpret_cast<std::uintptr_t>(Machine::instance().current().fiber.stack().top());
  return top - reinterpret_cast<std::uintptr_t>(address) <= FiberStack::usable_bytes;
}

std::size_t shared_offset(const void* address) {
  return static_cast<std::size_t>(static_cast<const unsigned char*>(address) -
                                  ProgramImage::instance().shared_memory().data());
}

void* shared_address(std::size_t offset) { return ProgramImage::instance().shared_memory().data() + offset; }

void fence(FenceScope scope) {
  // A fence for the block orders nothing between blocks.
  record_fence({scope != FenceScope::block}, call_site(__builtin_return_address(0)));
}

void fence(FenceScope scope, FenceOrder order, const volatile void* word) {
  const auto how = order == FenceOrder::release   ? Fencing::releases
                   : order == FenceOrder::acquire ? Fencing::acquires
                   : order == FenceOrder::both    ? Fencing::acquires_and_releases
                                                  : Fencing::sequential;
  record_fence({scope != FenceScope::block, how, reinterpret_cast<std::uintptr_t>(word)},
               call_site(__builtin_return_address(0)));
}

#if defined(__x86_64__)
// Called where a hook that stands in the unit's own code leaves off (assembly/inlined_hooks.hpp), with the
// place to which a call of perform_atomic() would return.
extern "C" unsigned simulator_add(AtomicChoice, unsigned*, unsigned, std::uintptr_t);
extern "C" unsigned simulator_add(AtomicChoice choice, unsigned* address, unsigned operand,
                                  std::uintptr_t returns_to) {
  const AtomicForm form = form_of(choice);
  return perform(AtomicOperation::add, form, if_used(form), scope_of(choice), address, operand, 0u,
                 returns_to - 1);
}
#endif

void trap() {
  Machine::instance().fail(facts::Verdict::crash, "executed a trap", call_site(__builtin_return_address(0)));
}

long long thread_clock() {
  const Machine& machine = Machine::instance();
  return machine.running() ? machine.steps_of_thread() : 0;
}

}  // namespace simulator

extern "C" {

// These stand in place of the C library's own, for the whole program.

clock_t clock() noexcept {
  const simulator::Machine& machine = simulator::Machine::instance();
  if (machine.running()) return static_cast<clock_t>(machine.steps_of_thread());
  static_assert(CLOCKS_PER_SEC == 1'000'000);
  return std::chrono::duration_cast<std::chrono::microseconds>(simulator::processor_time()).count();
}

#if defined(__GLIBC__)
void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) noexcept {
  simulator::Machine& machine = simulator::Machine::instance();
  if (machine.running())
    machine.fail(facts::Verdict::crash, std::string("failed an assertion: ") + expression,
                 simulator::call_site(__builtin_return_address(0)));
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
  std::abort();
}
#endif

}  // extern "C"
