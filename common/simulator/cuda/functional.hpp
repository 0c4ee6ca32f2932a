// SPDX-License-Identifier: MIT
// <cuda/functional> and <cuda/std/functional>: operators for reductions and comparisons. Not the standard
// library's, whose header takes longer to read, and whose functions would be places of their own in reports.
#pragma once

#include <type_traits>
#include <utility>

#define SIMULATOR_INLINE __attribute__((always_inline)) constexpr

namespace cuda {

// `result`: of the operator for one type.
#define SIMULATOR_OPERATOR(name, result, expression)                                        \
  template <class T = void>                                                                 \
  struct name {                                                                             \
    SIMULATOR_INLINE result operator()(const T& a, const T& b) const { return expression; } \
  };                                                                                        \
  template <>                                                                               \
  struct name<void> {                                                                       \
    using is_transparent = void;                                                            \
    template <class A, class B>                                                             \
    SIMULATOR_INLINE auto operator()(const A& a, const B& b) const {                        \
      return expression;                                                                    \
    }                                                                                       \
  };
#define SIMULATOR_OPERATOR_OF_ONE(name, result, expression)                     \
  template <class T = void>                                                     \
  struct name {                                                                 \
    SIMULATOR_INLINE result operator()(const T& a) const { return expression; } \
  };                                                                            \
  template <>                                                                   \
  struct name<void> {                                                           \
    using is_transparent = void;                                                \
    template <class A>                                                          \
    SIMULATOR_INLINE auto operator()(const A& a) const {                        \
      return expression;                                                        \
    }                                                                           \
  };

namespace std {

SIMULATOR_OPERATOR(plus, T, a + b)
SIMULATOR_OPERATOR(minus, T, a - b)
SIMULATOR_OPERATOR(multiplies, T, a* b)
SIMULATOR_OPERATOR(divides, T, a / b)
SIMULATOR_OPERATOR(modulus, T, a % b)
SIMULATOR_OPERATOR_OF_ONE(negate, T, -a)
SIMULATOR_OPERATOR(bit_and, T, a& b)
SIMULATOR_OPERATOR(bit_or, T, a | b)
SIMULATOR_OPERATOR(bit_xor, T, a ^ b)
SIMULATOR_OPERATOR_OF_ONE(bit_not, T, ~a)
SIMULATOR_OPERATOR(equal_to, bool, a == b)
SIMULATOR_OPERATOR(not_equal_to, bool, a != b)
SIMULATOR_OPERATOR(less, bool, a < b)
SIMULATOR_OPERATOR(less_equal, bool, a <= b)
SIMULATOR_OPERATOR(greater, bool, a > b)
SIMULATOR_OPERATOR(greater_equal, bool, a >= b)
SIMULATOR_OPERATOR(logical_and, bool, a&& b)
SIMULATOR_OPERATOR(logical_or, bool, a || b)
SIMULATOR_OPERATOR_OF_ONE(logical_not, bool, !a)

struct identity {
  using is_transparent = void;
  template <class T>
  SIMULATOR_INLINE T&& operator()(T&& value) const noexcept {
    return static_cast<T&&>(value);
  }
};

template <class Function, class... Arguments>
SIMULATOR_INLINE decltype(auto) invoke(Function&& function, Arguments&&... arguments) {
  return static_cast<Function&&>(function)(static_cast<Arguments&&>(arguments)...);
}

}  // namespace std

SIMULATOR_OPERATOR(maximum, T, a < b ? b : a)
SIMULATOR_OPERATOR(minimum, T, b < a ? b : a)
#undef SIMULATOR_OPERATOR
#undef SIMULATOR_OPERATOR_OF_ONE

// The function itself; nvcc has to be told what it returns on the GPU.
template <class Result, class Function>
SIMULATOR_INLINE auto proclaim_return_type(Function&& function) {
  return ::std::decay_t<Function>(static_cast<Function&&>(function));
}

}  // namespace cuda

#undef SIMULATOR_INLINE
