// SPDX-License-Identifier: MIT
#include "model/least_squares.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace model {

namespace {

// Solves a system with a symmetric positive matrix by Gauss's elimination.
std::vector<double> solved(std::vector<std::vector<double>> matrix, std::vector<double> right) {
  const std::size_t size = right.size();
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t row = i + 1; row < size; ++row) {
      const double factor = matrix[row][i] / matrix[i][i];
      if (factor == 0) continue;
      for (std::size_t column = i; column < size; ++column) matrix[row][column] -= factor * matrix[i][column];
      right[row] -= factor * right[i];
    }
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t column = i + 1; column < size; ++column) right[i] -= matrix[i][column] * right[column];
    right[i] /= matrix[i][i];
  }
  return right;
}

}  // namespace

std::vector<double> least_squares(const std::vector<std::vector<double>>& rows,
                                  const std::vector<double>& right, const std::vector<double>& weights) {
  constexpr double slack = 1e-9;  // equations may contradict each other a little, or say the same twice
  const std::size_t unknowns = rows.front().size();
  std::vector<std::vector<std::pair<std::size_t, double>>> columns(unknowns);  // what is not zero in them
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t x = 0; x < unknowns; ++x) {
      if (rows[i][x] != 0) columns[x].emplace_back(i, rows[i][x]);
    }
  }
  std::vector<bool> is_zero(unknowns, false);
  for (;;) {
    std::vector<std::vector<double>> matrix(rows.size(), std::vector<double>(rows.size()));
    for (std::size_t x = 0; x < unknowns; ++x) {
      if (is_zero[x]) continue;
      for (const auto& [i, one] : columns[x]) {
        for (const auto& [j, other] : columns[x]) matrix[i][j] += one * other / weights[x];
      }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) matrix[i][i] += slack;
    const std::vector<double> multipliers = solved(std::move(matrix), right);
    std::vector<double> values(unknowns, 0);
    for (std::size_t x = 0; x < unknowns; ++x) {
      for (const auto& [i, one] : columns[x]) values[x] += is_zero[x] ? 0 : one * multipliers[i] / weights[x];
    }
    if (*std::ranges::min_element(values) > -slack) return values;
    for (std::size_t x = 0; x < unknowns; ++x) is_zero[x] = is_zero[x] || values[x] < -slack;
  }
}

}  // namespace model
