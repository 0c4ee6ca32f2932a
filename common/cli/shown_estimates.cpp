// SPDX-License-Identifier: MIT
#include "cli/shown_estimates.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "facts/bounds.hpp"
#include "facts/words.hpp"
#include "report/numbers.hpp"

namespace cli {

namespace {

using Align = report::Table::Align;

constexpr report::Colour estimate_colour = report::Colour::magenta;
constexpr std::size_t measured_width = 12;

std::string estimate_range(const measure::Estimate& estimate) {
  return report::number_text(estimate.low) + " to " + report::number_text(estimate.high);
}

std::string estimate_bound(const measure::Estimate& estimate) {
  if (estimate.bound_by.empty()) return {};
  const measure::Share& largest = estimate.bound_by.front();
  return fmt::format("{}, {:.0f} %", facts::words_of_bound(largest.what, true), 100 * largest.share);
}

std::string error_text(const EstimateRow& row) {
  return fmt::format("{:+.0f} %", 100 * (row.record.estimate->ms / row.record.time_ms->median - 1));
}

}  // namespace

std::string in_estimate_colour(const std::string& text, const report::Terminal& terminal) {
  return terminal.paint(estimate_colour, text);
}

std::string estimate_words(const std::string& gpu, const report::Terminal& terminal) {
  return in_estimate_colour(fmt::format("Estimated for {}, not measured", facts::with_article(gpu)),
                            terminal);
}

std::string estimates_text(const EstimateTable& table, const report::Terminal& terminal) {
  if (table.rows.empty()) return {};
  const bool measured =
      std::ranges::any_of(table.rows, [](const EstimateRow& row) { return has_both(row.record); });
  std::size_t width = 25;
  for (const EstimateRow& row : table.rows) width = std::max(width, report::width(row.title));
  std::vector<report::Table::Column> columns{{table.title, Align::left, width}};
  if (measured) columns.push_back({"measured, ms", Align::right, measured_width});
  columns.insert(columns.end(), {{"estimate, ms", Align::right, 12}, {"probably", Align::right, 14}});
  columns.push_back(measured ? report::Table::Column{"off by", Align::right, 7}
                             : report::Table::Column{"held back by", Align::left, 20});
  const report::Table shown(columns);
  std::string text =
      measured ? in_estimate_colour("Estimated for " + facts::with_article(table.device.name), terminal)
               : estimate_words(table.device.name, terminal);
  text += fmt::format(": {}\n\n", table.of) + shown.header();
  for (const EstimateRow& row : table.rows) {
    if (!row.record.estimate) {
      text += fmt::format("{:<{}}  no estimate: {}\n", row.title, width, row.message);
      continue;
    }
    const measure::Estimate& estimate = *row.record.estimate;
    const std::string number = report::number_text(estimate.ms), range = estimate_range(estimate);
    std::vector<std::string> cells{row.title};
    if (measured)
      cells.push_back(has_both(row.record) ? fmt::format("{:.4g}", row.record.time_ms->median) : "");
    cells.insert(cells.end(), {number, range});
    cells.push_back(measured ? (has_both(row.record) ? error_text(row) : "") : estimate_bound(estimate));
    std::string line = shown.row(cells);
    const std::size_t at = line.find(number, width + (measured ? measured_width : 0));
    const std::size_t end = line.find(range, at) + range.size();
    text +=
        line.substr(0, at) + terminal.paint(estimate_colour, line.substr(at, end - at)) + line.substr(end);
  }
  for (const EstimateRow& row : table.rows) {
    if (row.record.estimate && !row.message.empty()) text += fmt::format("{}: {}\n", row.title, row.message);
  }
  text += fmt::format(
      "An estimate is modelled from what the simulator saw of a sample{}; docs/estimates.md says how far it "
      "may be "
      "off.\n",
      measured ? "" : ", no GPU was used");
  if (!table.device.calibrated)
    text +=
        "Of this GPU the model knows only data sheets: trust the order of the estimates more than their "
        "size.\n";
  return text;
}

std::optional<EstimateRow> estimate_into(measure::Record& record, const model::Device& device,
                                         const EstimateQuestion& question) {
  if (!record.exercise.launched || !record.passed() || question.record.length == 0) return std::nullopt;
  const Estimated estimated = estimated_run(question, device);
  record.estimate = kept_estimate(estimated);
  return EstimateRow{measure::title_of(record), record, estimated.message};
}

std::string estimate_sentence(const measure::Estimate& estimate, const std::string& of,
                              const report::Terminal& terminal) {
  return fmt::format(
      "{}: {} for {}; held back most by {} of the time",
      terminal.paint(estimate_colour,
                     fmt::format("estimated for {}, not measured", facts::with_article(estimate.name))),
      terminal.paint(estimate_colour, fmt::format("{} ms (probably {})", report::number_text(estimate.ms),
                                                  estimate_range(estimate))),
      of, estimate_bound(estimate));
}

}  // namespace cli
