// SPDX-License-Identifier: MIT
// What several sections say of estimates: a model's, of a GPU that need not be there. They never stand among
// times, and always in a box that says what they are.
#include <fmt/core.h>

#include <algorithm>

#include "facts/bounds.hpp"
#include "report/numbers.hpp"
#include "report/page/section.hpp"

namespace report::page {

const Record* estimated_lab(const Ladder& ladder) {
  const auto found = std::ranges::find_if(
      ladder.rungs, [](const measure::Rung& rung) { return rung.record.estimate.has_value(); });
  return found == ladder.rungs.end() ? nullptr : &found->record;
}

std::string estimated_setting_text(const Record& record) {
  Record over_its_length = record;
  over_its_length.length = record.estimate->length;
  return setting_text(over_its_length);
}

std::uint64_t estimated_bytes(const Record& record) {
  Record over_its_length = record;
  over_its_length.length = record.estimate->length;
  return over_its_length.bytes();
}

std::string bound_text(const measure::Estimate& estimate) {
  if (estimate.bound_by.empty()) return {};
  const measure::Share& largest = estimate.bound_by.front();
  return fmt::format("{}, {:.0f} %", facts::words_of_bound(largest.what, true), 100 * largest.share);
}

std::string estimate_table(const Ladder& ladder) {
  using Align = HtmlTable::Align;
  const Record* const one = estimated_lab(ladder);
  if (!one) return {};
  const bool measured =
      std::ranges::any_of(ladder.rungs, [](const measure::Rung& rung) { return has_both(rung.record); });
  std::vector<HtmlTable::Column> columns{
      {"", Align::left}, {"estimate"}, {"probably"}, {"held back by", Align::left}, {"launch", Align::left}};
  if (measured) columns.insert(columns.begin() + 3, {{"measured"}, {"estimate off by"}});
  HtmlTable table(columns);
  for (const measure::Rung& rung : ladder.rungs) {
    const Record& record = rung.record;
    if (!record.estimate) continue;
    const measure::Estimate& estimate = *record.estimate;
    std::vector<std::string> cells{title_of(record), duration_text(estimate.ms),
                                   duration_text(estimate.low) + " – " + duration_text(estimate.high)};
    if (measured && has_both(record)) {
      cells.push_back(duration_text(record.time_ms->median, 4));
      cells.push_back(difference_text(estimate.ms, record.time_ms->median));
    } else if (measured) {
      cells.insert(cells.end(), 2, "");
    }
    cells.push_back(bound_text(estimate));
    cells.push_back(shape_text(estimate.launch.grid, estimate.launch.block));
    table.add(cells, "estimate");
  }
  return estimated(one->estimate->name, paragraph(escaped(capitalised(estimated_setting_text(*one)) + ".")) +
                                            table.html("Estimates"));
}

}  // namespace report::page
