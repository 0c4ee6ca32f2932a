// SPDX-License-Identifier: MIT
// A profile as a table and as a JSON document.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/verbs/profile.hpp"
#include "measure/ncu/metrics.hpp"
#include "report/numbers.hpp"
#include "report/terminal/table.hpp"

namespace cli {

namespace {

using Json = nlohmann::ordered_json;

Json recorded_json(const workbook::Workbook& workbook, const measure::RecordedProfile& recorded) {
  const measure::Record& record = recorded.record;
  return {{"gpu", record.machine.gpu.at("name")},
          {"time", record.time},
          {"file", workbook.shortened(recorded.file)},
          {std::string(measure::problem_of(record).variant_option()), record.variant},
          {"input", record.input},
          {"length", record.length},
          {"seed", record.seed.value_or(1)},
          {"launch", {{"grid", record.launch.grid}, {"block", record.launch.block}}},
          {"counters", record.counters},
          {"figures", record.figures}};
}

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
  if (std::ranges::any_of(columns, [](const Counted& column) { return !column.figures.empty(); }))
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

std::string profile_json(const workbook::Workbook& workbook, const Profile& profile) {
  const measure::Record& record = profile.record;
  Json json = heading_json(record);
  json["launch"] = {{"grid", record.launch.grid}, {"block", record.launch.block}};
  json["counters"] = record.counters;
  json["file"] = workbook.shortened(workbook.source_file(record.exercise, profile.tree));
  json["lines"] = Json::array();
  for (const auto& [line, counters] : profile.source.lines)
    json["lines"].push_back({{"line", line}, {"counters", counters}});
  json["elsewhere"] = profile.source.elsewhere;
  json["before"] = nullptr;
  if (profile.before)
    json["before"] = {{"lab", profile.exercise_before->lab},
                      {"exercise", profile.exercise_before->name},
                      {"counters", profile.before->counters}};
  if (!traits_of(record.backend).accelerator) return dumped(json);
  if (profile.before) json["before"]["figures"] = profile.before->figures;
  json["figures"] = record.figures;
  json["simulated"] = record.simulated.empty() ? Json() : Json(record.simulated);
  json["report"] = profile.file.empty() ? Json() : Json(profile.file);
  json["recorded"] = profile.recorded ? recorded_json(workbook, *profile.recorded) : Json();
  return dumped(json);
}

}  // namespace cli
