// SPDX-License-Identifier: MIT
// What the terminal at hand can show.
#pragma once

#include <string>
#include <string_view>

namespace report {

enum class Colour { none, red, green, yellow, blue, grey, bold };

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

}  // namespace report
