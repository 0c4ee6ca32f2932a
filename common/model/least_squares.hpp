// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace model {

// The x with the least sum of weights * squares for which rows * x = right, as nearly as that is possible,
// and no x is negative: one that comes out negative is zero, and the others are worked out again.
std::vector<double> least_squares(const std::vector<std::vector<double>>& rows,
                                  const std::vector<double>& right, const std::vector<double>& weights);

}  // namespace model
