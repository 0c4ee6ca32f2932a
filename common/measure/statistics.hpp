// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace measure {

// What is said of a set of samples. Quartiles interpolate linearly between the neighbouring samples (Hyndman
// and Fan, 1996, definition 7).
struct Summary {
  double median, min, q1, q3;
  std::size_t samples;
};

// Precondition: at least one sample.
Summary summarize(std::vector<double> samples);

}  // namespace measure
