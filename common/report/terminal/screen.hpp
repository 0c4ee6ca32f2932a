// SPDX-License-Identifier: MIT
// A text that stays in place on a terminal and is drawn anew as it changes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace report {

// The lines of a text, each at most `columns` wide: broken at blanks where it can be, and then indented as it
// began. Colours take no room; tabs become blanks, and other control characters question marks.
std::vector<std::string> wrapped(std::string_view text, unsigned columns);

// What draws `body` and below it `footer` from the upper left corner on, over what was there. Of a body that
// does not fit the end is left out, and a line says so; lines of the footer are cut off. The cursor ends
// behind the last letter.
std::string frame(std::string_view body, std::string_view footer, unsigned columns, unsigned rows);

// What empties the screen.
inline constexpr std::string_view cleared_screen = "\x1b[2J\x1b[H";

}  // namespace report
