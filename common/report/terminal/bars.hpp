// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problems/histogram/binnings.hpp"

namespace report {

// A histogram as horizontal bars, a line a bin, at most `columns` wide: label, bar, count. Where there are
// more bins than `most_rows`, neighbouring bins share a row, and the last line says how many.
std::string histogram_bars(const std::vector<std::uint64_t>& bins, const histogram::BinningInfo& binning,
                           unsigned columns, unsigned most_rows = 32);

// 1234567 -> "1,234,567"
std::string with_separators(std::uint64_t number);

// How a kernel was launched: "1,048,576 blocks of 1024 threads", "1 block of 256 threads".
std::string shape_text(std::uint64_t grid, std::uint64_t block);

}  // namespace report
