// SPDX-License-Identifier: MIT
// The out-of-line side of the functions in simulator/cuda: what the running thread asks of the machine.
#include "simulator/cuda/cuda.hpp"
#include "simulator/device_memory.hpp"
#include "simulator/machine.hpp"

namespace simulator {

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
    case AtomicOperation::exchange: return operand;
    case AtomicOperation::min: return operand < old ? operand : old;
    case AtomicOperation::max: return old < operand ? operand : old;
    case AtomicOperation::inc: return old >= operand ? T{0} : static_cast<T>(old + 1);
    case AtomicOperation::dec: return old == T{0} || old > operand ? operand : static_cast<T>(old - 1);
    case AtomicOperation::compare_and_swap: return old == compare ? operand : old;
    default: break;
  }
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    switch (operation) {
      case AtomicOperation::sub: return static_cast<T>(static_cast<U>(old) - static_cast<U>(operand));
      case AtomicOperation::bitwise_and: return old & operand;
      case AtomicOperation::bitwise_or: return old | operand;
      case AtomicOperation::bitwise_xor: return old ^ operand;
      default: break;
    }
  }
  return old;
}

// The address of the instruction that called, by which a report finds the line: inside the call, not after it.
std::uintptr_t call_site(void* return_address) { return reinterpret_cast<std::uintptr_t>(return_address) - 1; }

}  // namespace

uint3 thread_index() { return Machine::instance().current().index; }
uint3 block_index() { return Machine::instance().block_index(); }
dim3 block_extent() { return Machine::instance().configuration().block; }
dim3 grid_extent() { return Machine::instance().configuration().grid; }

template <class T>
T atomic(AtomicOperation operation, T* address, T operand, T compare) {
  Machine& machine = Machine::instance();
  if (machine.running()) {
    if (is_shared_memory(address, sizeof(T))) {
      ++machine.counters().shared_atomics;
    } else if (is_device_memory(address, sizeof(T))) {
      ++machine.counters().global_atomics;
    } else {
      machine.fault(HazardKind::out_of_bounds, "an atomic on memory that belongs neither to the device nor to the block",
                    call_site(__builtin_return_address(0)));
    }
  }
  const T old = *address;
  *address = combined(operation, old, operand, compare);
  return old;
}

template int atomic(AtomicOperation, int*, int, int);
template unsigned atomic(AtomicOperation, unsigned*, unsigned, unsigned);
template long long atomic(AtomicOperation, long long*, long long, long long);
template unsigned long long atomic(AtomicOperation, unsigned long long*, unsigned long long, unsigned long long);
template float atomic(AtomicOperation, float*, float, float);
template double atomic(AtomicOperation, double*, double, double);

std::uint64_t warp_operation(WarpOperation operation, unsigned mask, std::uint64_t value, int argument, int width) {
  return Machine::instance().wait_for_lanes({operation, mask, value, argument, width, 0},
                                            call_site(__builtin_return_address(0)));
}

int block_barrier(BarrierReduction reduction, bool predicate) {
  return Machine::instance().wait_at_barrier(reduction, predicate, call_site(__builtin_return_address(0)));
}

unsigned active_mask() { return Machine::instance().wait_for_active_mask(call_site(__builtin_return_address(0))); }

void fence(FenceScope) {}

}  // namespace simulator
