// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/verbs/profile.hpp"
#include "measure/ncu/metrics.hpp"
#include "report/terminal/bars.hpp"
#include "report/terminal/table.hpp"

namespace cli {

namespace {

constexpr std::size_t name_width = 24, value_width = 12;

// The names' column, one for each of the counted, and the meanings.
report::Table table_of(const std::vector<Counted>& columns) {
  using Align = report::Table::Align;
  std::vector<report::Table::Column> all{{"", Align::left, name_width}};
  for (const Counted& column : columns) all.push_back({column.title, Align::right, value_width});
  all.push_back({"", Align::left});
  return report::Table(all);
}

// A row, its meaning behind it or, where that does not fit, below it.
std::string row_of(const report::Table& table, std::vector<std::string> cells, std::string_view meaning,
                   const report::Terminal& terminal) {
  std::vector<std::string> whole = cells;
  whole.emplace_back(meaning);
  std::string row = table.row(whole);
  if (!terminal.live || report::width(row) <= terminal.columns) return row;
  return table.row(cells) + fmt::format("    {}\n", meaning);
}

}  // namespace

std::string figure_text(double value, std::string_view unit) {
  if (unit == "byte") return report::with_separators(static_cast<std::uint64_t>(std::llround(value))) + " B";
  if (unit == "byte/s") return fmt::format("{:.4g} GB/s", value / 1e9);
  if (unit == "%") return fmt::format("{:.1f} %", value);
  if (unit == "ns")
    return value < 1e6 ? fmt::format("{:.4g} us", value / 1e3) : fmt::format("{:.4g} ms", value / 1e6);
  if (value == std::floor(value)) return report::with_separators(static_cast<std::uint64_t>(value));
  return fmt::format("{:.2f}", value);
}

std::string counted_table(const std::vector<Counted>& columns, const report::Terminal& terminal) {
  const report::Table table = table_of(columns);
  std::string text = table.header();
  for (const auto& [counter, quantity] : facts::counter_table) {
    std::vector<std::string> cells{std::string(quantity.name)};
    bool any = false;
    for (const Counted& column : columns) {
      const auto value = column.counters.find(counter);
      cells.push_back(value ? report::with_separators(*value) : "");
      any = any || value.value_or(0) > 0;
    }
    if (any) text += row_of(table, std::move(cells), quantity.meaning, terminal);
  }
  text += "\n";
  for (const facts::Quantity& figure : measure::measured_figures()) {
    std::vector<std::string> cells{std::string(figure.name)};
    bool any = false;
    for (const Counted& column : columns) {
      const auto found = column.figures.find(std::string(figure.name));
      cells.push_back(found == column.figures.end() ? "" : figure_text(found->second, figure.unit));
      any = any || found != column.figures.end();
    }
    if (any) text += row_of(table, std::move(cells), figure.meaning, terminal);
  }
  return text;
}

}  // namespace cli
