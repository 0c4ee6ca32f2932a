// SPDX-License-Identifier: MIT
// What the terminal at hand can show, and what is printed there line by line: values as bars, and columns of
// text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "problems/reference.hpp"

namespace report {

// Magenta is for estimates, and for nothing else.
enum class Colour { none, red, green, yellow, blue, magenta, grey, bold };

struct Terminal {
  bool colours = false;  // a terminal, and NO_COLOR is not set (no-color.org)
  bool live = false;     // a terminal on which a line can be written again
  unsigned columns = 80, rows = 24;

  std::string paint(Colour colour, std::string_view text) const;

  // How standard output, or standard error, is connected.
  static Terminal of_output();
  static Terminal of_errors();
};

// Columns from one tab stop to the next.
inline constexpr std::size_t tab_width = 8;

// Columns that a text takes on a terminal, for UTF-8 text without colours or wide characters.
std::size_t width(std::string_view text);

// Values as horizontal bars, a line each, at most `columns` wide: label, bar, value. Where there are more
// than `most_rows`, neighbours share a row, and the last line says how many; `word` is what one is called.
std::string bars(const std::vector<problems::Bar>& values, std::string_view word, unsigned columns,
                 unsigned most_rows = 32);

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
