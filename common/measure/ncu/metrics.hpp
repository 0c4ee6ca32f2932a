// SPDX-License-Identifier: MIT
// What ncu measures of a launch, and how it prints it: the counters of facts/counters.hpp and figures that
// only hardware has. The two tables are the only place where metrics are named: docs/counters.md,
// tests/golden/measure.sh and sections/Histogram.section are held to them by tests/measure/metrics_test.cpp.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "facts/counters.hpp"

namespace measure {

// The counters that ncu can count, in the order of facts::counter_table.
std::span<const facts::CounterRow> measured_counters();

// Figures that only hardware gives: time, traffic, occupancy, divergence, stalls; in the order in which they
// are shown.
std::span<const facts::Quantity> measured_figures();

// Whether a chip, such as "GH100", has the metric: integrated GPUs have no device memory of their own and
// count none.
bool has_metric(std::string_view chip, std::string_view metric);

// All metrics, each once, with commas between: what `ncu --metrics` takes.
std::string metric_list();

// The text is no such page; what() says what is wrong with it.
struct PageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ProfiledLaunch {
  struct Cell {
    std::string value, unit;
  };
  std::string kernel;                 // as ncu writes it, "void histogram_kernel<Letters4>(...)"
  std::map<std::string, Cell> cells;  // by column: metrics, and what ncu says of the launch

  // The sum of the quantity's metrics, in its unit; nothing where one of them is missing or has no
  // value ("n/a"). Throws PageError for a value in another unit.
  std::optional<double> value(const facts::Quantity& quantity) const;
};

// The launches in their order. Lines before the row of column names are ncu's own words and are passed over.
// Throws PageError where there is no such row, or a row has another number of fields.
std::vector<ProfiledLaunch> read_raw_page(const std::string& text);

}  // namespace measure
