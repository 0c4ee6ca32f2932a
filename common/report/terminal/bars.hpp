// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "problems/reference.hpp"

namespace report {

// Values as horizontal bars, a line each, at most `columns` wide: label, bar, value. Where there are more
// than `most_rows`, neighbours share a row, and the last line says how many; `word` is what one is called.
std::string bars(const std::vector<problems::Bar>& values, std::string_view word, unsigned columns,
                 unsigned most_rows = 32);

}  // namespace report
