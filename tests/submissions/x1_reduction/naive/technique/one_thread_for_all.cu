// SPDX-License-Identifier: MIT
// Wrong: one thread goes through the whole input.
#include "lab.hpp"

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  typename Operator::value total = Operator::identity();
  for (std::size_t i = 0; i < length; ++i) total = Operator::combine(total, data[i]);
  partials[0] = total;
}

LaunchShape launch_shape(std::size_t) { return {1, 1}; }
