// SPDX-License-Identifier: MIT
#include "measure/counted.hpp"

#include <algorithm>

#include "facts/words.hpp"

namespace measure {

std::vector<problems::CountedColumn> shown_columns(std::span<const Record> records) {
  std::vector<const Record*> passed;
  for (const Record& record : records) {
    if (record.passed() && !record.counters.empty()) passed.push_back(&record);
  }
  if (passed.empty()) return {};
  const auto all = problems::reference_of(records.front().exercise.problem).counted_columns();
  std::vector<problems::CountedColumn> shown(all.begin(), all.end());
  std::erase_if(shown, [&](const problems::CountedColumn& column) {
    return std::ranges::all_of(passed, [&](const Record* record) {
      return facts::find_figure(column.counter, record->counters).value_or(0) == 0;
    });
  });
  return shown;
}

std::string counted_text(const problems::CountedColumn& column, const Record& record) {
  if (const auto counter = record.counters.find(column.counter)) return facts::separated(*counter);
  const auto derived = facts::find_figure(column.counter, record.counters);
  return derived ? facts::derived_text(*derived) : "";
}

std::optional<double> value_of(const problems::TourFigure& figure, const Record& record) {
  const std::uint64_t value = record.counters.value(figure.counter),
                      over = figure.over.empty() ? record.bytes() : record.counters.value(figure.over);
  if (over == 0) return std::nullopt;
  return static_cast<double>(value) / static_cast<double>(over);
}

}  // namespace measure
