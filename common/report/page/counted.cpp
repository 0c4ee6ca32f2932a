// SPDX-License-Identifier: MIT
#include "report/page/counted.hpp"

#include <algorithm>
#include <tuple>

namespace report::page {

namespace {

auto launch_of(const Record& record) {
  return std::tie(record.lab, record.exercise, record.tree, record.input, record.binning, record.length,
                  record.grid, record.block);
}

bool is_profile(const Record& record) {
  return record.backend == "gpu" && record.passed() && !(record.counters.empty() && record.figures.empty());
}

facts::Counters simulated_of(const Record& measured, const std::vector<Record>& records) {
  if (!measured.simulated.empty()) return measured.simulated;
  const auto found = std::find_if(records.rbegin(), records.rend(), [&](const Record& other) {
    return other.backend == "sim" && other.passed() && launch_of(other) == launch_of(measured);
  });
  return found == records.rend() ? facts::Counters{} : found->counters;
}

}  // namespace

std::vector<Counted> counted_on_both(const std::vector<Record>& records) {
  std::vector<Counted> all;
  for (const Record& record : records) {
    if (!is_profile(record)) continue;
    std::erase_if(all, [&](const Counted& other) { return launch_of(other.measured) == launch_of(record); });
    all.push_back({record, simulated_of(record, records)});
  }
  return all;
}

}  // namespace report::page
