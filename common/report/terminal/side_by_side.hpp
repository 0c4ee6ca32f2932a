// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace report {

struct TitledText {
  std::string title, text;
};

// Two texts in two columns, at most `columns` wide together (20 at least), lines that both have beside each
// other. Lines that are too long go on below; tabs become spaces.
std::string side_by_side(const TitledText& left, const TitledText& right, unsigned columns);

}  // namespace report
