// SPDX-License-Identifier: MIT
// <cuda/functional> and <cuda/std/functional>: the operators that reductions take.
#pragma once

namespace cuda {

#define SIMULATOR_OPERATOR(name, expression)                                    \
  template <class T = void>                                                     \
  struct name {                                                                 \
    constexpr T operator()(const T& a, const T& b) const { return expression; } \
  };                                                                            \
  template <>                                                                   \
  struct name<void> {                                                           \
    template <class A, class B>                                                 \
    constexpr auto operator()(const A& a, const B& b) const {                   \
      return expression;                                                        \
    }                                                                           \
  };

namespace std {
SIMULATOR_OPERATOR(plus, a + b)
SIMULATOR_OPERATOR(minus, a - b)
SIMULATOR_OPERATOR(multiplies, a* b)
SIMULATOR_OPERATOR(bit_and, a& b)
SIMULATOR_OPERATOR(bit_or, a | b)
SIMULATOR_OPERATOR(bit_xor, a ^ b)
SIMULATOR_OPERATOR(logical_and, a&& b)
SIMULATOR_OPERATOR(logical_or, a || b)
}  // namespace std

SIMULATOR_OPERATOR(maximum, a < b ? b : a)
SIMULATOR_OPERATOR(minimum, b < a ? b : a)
#undef SIMULATOR_OPERATOR

}  // namespace cuda
