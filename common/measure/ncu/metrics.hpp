// SPDX-License-Identifier: MIT
// What ncu measures of a launch: the counters of facts/counters.hpp and figures that only hardware has. The
// two tables are the only place where metrics are named: docs/counters.md, tests/golden/measure.sh and
// sections/Histogram.section are held to them by tests/measure/metrics_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

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

}  // namespace measure
