// SPDX-License-Identifier: MIT
#include "report/terminal/bars.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "report/terminal/terminal.hpp"

namespace report {

namespace {

struct Row {
  std::string label;
  std::uint64_t count;
};

// Eighths of a character cell, so that a bar's length is as exact as the terminal allows.
std::string bar(std::uint64_t count, std::uint64_t largest, std::size_t cells) {
  static constexpr std::array<std::string_view, 8> parts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (largest == 0) return {};
  const auto eighths = static_cast<std::size_t>(static_cast<double>(count) / static_cast<double>(largest) *
                                                static_cast<double>(cells * 8));
  std::string result;
  for (std::size_t cell = 0; cell < eighths / 8; ++cell) result += "█";
  result += parts[eighths % 8];
  // What was counted must be seen, however little it is.
  return result.empty() && count > 0 ? std::string(parts[1]) : result;
}

std::vector<Row> rows_of(const std::vector<std::uint64_t>& bins, const histogram::BinningInfo& binning,
                         std::size_t each) {
  std::vector<Row> rows;
  for (std::size_t first = 0; first < bins.size(); first += each) {
    const std::size_t end = std::min(first + each, bins.size());
    Row row{binning.label(static_cast<int>(first)), 0};
    if (end > first + 1) row.label += " .. " + binning.label(static_cast<int>(end - 1));
    for (std::size_t bin = first; bin < end; ++bin) row.count += bins[bin];
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string histogram_bars(const std::vector<std::uint64_t>& bins, const histogram::BinningInfo& binning,
                           unsigned columns, unsigned most_rows) {
  const std::size_t each = (bins.size() + most_rows - 1) / most_rows;
  const std::vector<Row> rows = rows_of(bins, binning, each);
  std::size_t labels = 0, counts = 0;
  std::uint64_t largest = 0;
  for (const Row& row : rows) {
    labels = std::max(labels, row.label.size());
    counts = std::max(counts, with_separators(row.count).size());
    largest = std::max(largest, row.count);
  }
  const std::size_t besides = labels + counts + 4;
  const std::size_t cells = columns > besides + 8 ? columns - besides : 8;
  std::string result;
  for (const Row& row : rows) {
    const std::string drawn = bar(row.count, largest, cells);
    result += fmt::format("{:>{}}  {}{}  {:>{}}\n", row.label, labels, drawn,
                          std::string(cells - width(drawn), ' '), with_separators(row.count), counts);
  }
  if (each > 1) result += fmt::format("({} bins a row; --json gives every bin)\n", each);
  return result;
}

std::string with_separators(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string shape_text(std::uint64_t grid, std::uint64_t block) {
  return fmt::format("{} {} of {} {}", with_separators(grid), grid == 1 ? "block" : "blocks", block,
                     block == 1 ? "thread" : "threads");
}

}  // namespace report
