// SPDX-License-Identifier: MIT
#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace measure {

namespace {

double quantile(const std::vector<double>& sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Summary summarize(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return {quantile(samples, 0.5), samples.front(), quantile(samples, 0.25), quantile(samples, 0.75),
          samples.size()};
}

}  // namespace measure
