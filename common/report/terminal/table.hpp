// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace report {

// Columns of text of declared widths, so that a table can be printed while its rows are still being made.
class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::right;
    std::size_t width = 0;  // at least
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // A line each. A cell that is wider than its column pushes the rest to the right; nothing is cut off.
  std::string header() const;
  std::string row(const std::vector<std::string>& cells) const;

 private:
  std::vector<Column> columns_;
};

}  // namespace report
