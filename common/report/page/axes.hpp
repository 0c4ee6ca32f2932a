// SPDX-License-Identifier: MIT
// What gnuplot's plots of points share: axes of throughputs and counts, labels at the ends of curves, and
// what a point says on hover.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/page/gnuplot.hpp"

namespace report::page {

struct ValueAxis {
  double from = 0, to = 1;
  bool logarithmic = false;
  std::string tics = {};  // of gnuplot's `set ytics`; empty: its own

  // From 0 at `from` to 1 at `to`.
  double fraction(double value) const;
  std::string commands() const;
};

// Always logarithmic: points lie on it, and no bar begins anywhere. "1 GB/s", "10 GB/s", and where the range
// is narrow "200 GB/s", "500 GB/s" between them.
ValueAxis throughput_axis(const Range& range);

// From 0 on, unless the smallest would then not be told from it.
ValueAxis count_axis(const Range& range);

// The label of a curve, at the height at which it ends.
struct EndLabel {
  std::string text, colour;
  double value;
};

// Labels at the right end, moved apart where they would lie on each other, and the margin that they need.
std::string end_labels(std::vector<EndLabel> labels, const ValueAxis& axis);

// As gnuplot's string in a line of data, for `labels hypertext`.
std::string hover_string(std::string_view text);

}  // namespace report::page
