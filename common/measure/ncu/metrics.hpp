// SPDX-License-Identifier: MIT
// Which of ncu's metrics a counter is: the one place where their names stand. docs/counters.md,
// tests/golden/measure.sh and sections/Histogram.section are held to it by tests/measure/metrics_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace measure {

// Who gives a metric its value: the hardware's counters (CUPTI knows these too), or ncu itself, from the
// launch or by patching the program.
enum class MetricSource { hardware, ncu };

struct Metric {
  std::string_view name;  // as ncu takes it
  std::string_view instances =
      {};  // the sum over the instances whose names begin with this; empty: the metric's own value
  MetricSource source = MetricSource::hardware;
};

// A counter that the simulator has as well (docs/counters.md), or a figure that only hardware has.
struct MeasuredCounter {
  std::string_view name;
  std::vector<Metric> sum;  // its value is the sum of these
  std::string_view
      unit;  // with `--print-units base`: "", "%", "ns", "byte" or "byte/s"; "" is a plain number
  std::string_view meaning = {};  // of figures; a counter's meaning is report::counter_meanings()'s
};

// The counters of docs/counters.md that ncu can count, in their order there.
std::span<const MeasuredCounter> measured_counters();

// What only hardware tells: time, traffic, occupancy, divergence, stalls; in the order in which they are
// shown.
std::span<const MeasuredCounter> measured_figures();

// Whether a chip, such as "GH100", has the metric: integrated GPUs have no device memory of their own and
// count none.
bool has_metric(std::string_view chip, std::string_view metric);

// All metrics, each once, with commas between: what `ncu --metrics` takes.
std::string metric_list();

}  // namespace measure
