// SPDX-License-Identifier: MIT
// CUDA's atomic functions. Each returns the value from before; the types are those of the CUDA C++
// Programming Guide ("Atomic functions"), and another type is refused with a message instead of failing in
// the linker.
#pragma once

#include <cstdint>
#include <type_traits>

#include "simulator/cuda/types.hpp"

namespace simulator {

enum class AtomicOperation {
  add,
  sub,
  inc,
  dec,
  min,
  max,
  exchange,
  compare_and_swap,
  bitwise_and,
  bitwise_or,
  bitwise_xor
};

// The threads among which an atomic is one: those of its block, or all.
enum class AtomicScope { block, device };

// What the compiler and its user have chosen, besides the operation: an atomic whose operand is the constant
// 1; one on a word whose place is the same for all lanes, which a warp's lanes first reduce to one operand;
// one through an address of which nobody says that it is a shared one; two that are loops in shared memory
// (simulator/observer.hpp). On a GPU each is another instruction.
enum class AtomicForm { usual, adds_one, at_uniform_place, generic, cas_loop, cas_loop_if_changed };

// All three of them, in one number, which a call passes as a constant.
using AtomicChoice = unsigned;
__attribute__((always_inline)) constexpr AtomicChoice choice_of(AtomicOperation operation, AtomicForm form,
                                                                AtomicScope scope = AtomicScope::device) {
  return static_cast<unsigned>(operation) | static_cast<unsigned>(form) << 8 |
         static_cast<unsigned>(scope) << 16;
}

// One indivisible read-modify-write by the running thread on the word at `address`; returns the old value.
// T: unsigned short, int, unsigned, long long, unsigned long long, float, double.
template <class T>
T perform_atomic(AtomicChoice choice, T* address, T operand, T compare);

// The same on a word whose place is the same for all lanes by the way it is computed: lab-guard puts it in
// the place of the function above (simulator/assembly/uniform_places.hpp).
template <class T>
T perform_uniform_atomic(AtomicChoice choice, T* address, T operand, T compare);

// Passes an atomic's result on. The compiler is told that this does nothing but give a value, and so leaves
// the call out where nobody uses that value: where it is made, the result is used. On a GPU the two differ
// (ATOMS.ADD against ATOMS.POPC.INC, ATOM against RED).
template <class T>
[[gnu::pure]] T used(T old);

constexpr bool can_be_reduced(AtomicOperation operation) {
  using enum AtomicOperation;
  return operation == add || operation == sub || operation == min || operation == max ||
         operation == bitwise_and || operation == bitwise_or || operation == bitwise_xor;
}

// Whether a GPU has the operation for this type, and the simulator does not.
template <class T>
constexpr bool needs_gpu(AtomicOperation operation) {
  if (operation == AtomicOperation::exchange || operation == AtomicOperation::compare_and_swap)
    return sizeof(T) == 16 && std::alignment_of_v<T> == 16;
  return operation == AtomicOperation::add && is_one_of<T, float2, float4>;
}

template <class T>
struct SameType {
  using type = T;
};

// Blocks deduction, so that atomicAdd(&counter, 1) takes its type from the address alone.
template <class T>
using NotDeduced = typename SameType<T>::type;

}  // namespace simulator

// `name(T* address, T operand)` for the accepted types. Of 16 bytes, and of vectors of float, there are some
// on a GPU, too.
#define SIMULATOR_ATOMIC_OF_SCOPE(name, operation, scope, ...)                                             \
  template <class T>                                                                                       \
  __attribute__((always_inline)) inline T name(T* address, ::simulator::NotDeduced<T> operand) {           \
    constexpr auto chosen = ::simulator::AtomicOperation::operation;                                       \
    if constexpr (::simulator::needs_gpu<T>(chosen)) {                                                     \
      static_assert(sizeof(T) == 0, #name " of this type is not simulated: it needs a GPU");               \
      return operand;                                                                                      \
    } else {                                                                                               \
      static_assert(::simulator::is_one_of<T, __VA_ARGS__>,                                                \
                    #name " takes a pointer to one of: " #__VA_ARGS__);                                    \
      /* not const: the compiler would evaluate it before it knows the operand */                          \
      bool adds_one =                                                                                      \
          chosen == ::simulator::AtomicOperation::add && __builtin_constant_p(operand) && operand == T{1}; \
      const auto form = adds_one ? ::simulator::AtomicForm::adds_one : ::simulator::AtomicForm::usual;     \
      return ::simulator::used(::simulator::perform_atomic<T>(                                             \
          ::simulator::choice_of(chosen, form, ::simulator::AtomicScope::scope), address, operand, T{}));  \
    }                                                                                                      \
  }
#define SIMULATOR_ATOMIC(name, operation, ...)                           \
  SIMULATOR_ATOMIC_OF_SCOPE(name, operation, device, __VA_ARGS__)        \
  SIMULATOR_ATOMIC_OF_SCOPE(name##_block, operation, block, __VA_ARGS__) \
  SIMULATOR_ATOMIC_OF_SCOPE(name##_system, operation, device, __VA_ARGS__)

SIMULATOR_ATOMIC(atomicAdd, add, int, unsigned int, unsigned long long, float, double)
SIMULATOR_ATOMIC(atomicSub, sub, int, unsigned int)
SIMULATOR_ATOMIC(atomicInc, inc, unsigned int)
SIMULATOR_ATOMIC(atomicDec, dec, unsigned int)
SIMULATOR_ATOMIC(atomicMin, min, int, unsigned int, long long, unsigned long long)
SIMULATOR_ATOMIC(atomicMax, max, int, unsigned int, long long, unsigned long long)
SIMULATOR_ATOMIC(atomicExch, exchange, int, unsigned int, unsigned long long, float)
SIMULATOR_ATOMIC(atomicAnd, bitwise_and, int, unsigned int, long long, unsigned long long)
SIMULATOR_ATOMIC(atomicOr, bitwise_or, int, unsigned int, long long, unsigned long long)
SIMULATOR_ATOMIC(atomicXor, bitwise_xor, int, unsigned int, long long, unsigned long long)

#undef SIMULATOR_ATOMIC
#undef SIMULATOR_ATOMIC_OF_SCOPE

#define SIMULATOR_COMPARE_AND_SWAP(name, scope, ...)                                                       \
  template <class T>                                                                                       \
  __attribute__((always_inline)) inline T name(T* address, ::simulator::NotDeduced<T> compare,             \
                                               ::simulator::NotDeduced<T> value) {                         \
    constexpr auto chosen = ::simulator::AtomicOperation::compare_and_swap;                                \
    if constexpr (::simulator::needs_gpu<T>(chosen)) {                                                     \
      static_assert(sizeof(T) == 0, #name " of this type is not simulated: it needs a GPU");               \
      return value;                                                                                        \
    } else {                                                                                               \
      static_assert(::simulator::is_one_of<T, __VA_ARGS__>,                                                \
                    #name " takes a pointer to one of: " #__VA_ARGS__);                                    \
      return ::simulator::perform_atomic<T>(                                                               \
          ::simulator::choice_of(chosen, ::simulator::AtomicForm::usual, ::simulator::AtomicScope::scope), \
          address, value, compare);                                                                        \
    }                                                                                                      \
  }
SIMULATOR_COMPARE_AND_SWAP(atomicCAS, device, unsigned short, int, unsigned int, unsigned long long)
SIMULATOR_COMPARE_AND_SWAP(atomicCAS_block, block, int, unsigned int, unsigned long long)
SIMULATOR_COMPARE_AND_SWAP(atomicCAS_system, device, int, unsigned int, unsigned long long)
#undef SIMULATOR_COMPARE_AND_SWAP
