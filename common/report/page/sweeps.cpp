// SPDX-License-Identifier: MIT
#include "report/page/sweeps.hpp"

#include <algorithm>
#include <tuple>

namespace report::page {

namespace {

// What is swept takes no part.
auto setting_of(const Record& record) {
  const bool other_input = record.sweep == "contention", other_length = record.sweep == "length";
  return std::tuple(record.sweep, record.backend, record.tree, record.binning,
                    other_input ? std::string() : record.input,
                    other_length ? std::uint64_t{0} : record.length);
}

bool is_shown(const Record& record) {
  if (record.kind != "sweep" || record.sweep.empty() || !record.passed() || record.length == 0) return false;
  if (record.backend == "gpu") return record.time_ms.has_value();
  // Without shared atomics there are no turns to take.
  return record.sweep != "contention" || record.counters.value("shared_atomic_requests") > 0;
}

// A point that comes a second time is of the next run, and the run before is forgotten.
void add(Curve& curve, const Record& record) {
  if (std::ranges::any_of(curve.points, [&](const Record& point) { return point.value == record.value; }))
    curve.points.clear();
  curve.points.push_back(record);
}

}  // namespace

std::vector<Sweep> sweeps(const std::vector<Record>& records) {
  std::vector<Sweep> found;
  for (const Record& record : records) {
    if (!is_shown(record)) continue;
    auto sweep = std::ranges::find_if(
        found, [&](const Sweep& other) { return setting_of(other.first()) == setting_of(record); });
    if (sweep == found.end()) sweep = found.insert(found.end(), Sweep{{}, record.backend == "gpu"});
    auto curve = std::ranges::find_if(sweep->curves, [&](const Curve& other) {
      return std::tie(other.points.front().lab, other.points.front().exercise) ==
             std::tie(record.lab, record.exercise);
    });
    if (curve == sweep->curves.end()) curve = sweep->curves.insert(sweep->curves.end(), Curve{});
    add(*curve, record);
  }
  for (Sweep& sweep : found) {
    for (Curve& curve : sweep.curves) std::ranges::sort(curve.points, {}, &Record::value);
  }
  return found;
}

double counted_of(const Record& point) {
  const auto value = [&](const char* name) { return static_cast<double>(point.counters.value(name)); };
  if (point.sweep == "contention") return value("shared_atomic_wavefronts") / value("shared_atomic_requests");
  return value("global_atomics") / static_cast<double>(point.length);
}

}  // namespace report::page
