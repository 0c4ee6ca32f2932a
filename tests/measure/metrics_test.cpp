// SPDX-License-Identifier: MIT
// The names of ncu's metrics stand in facts/counters.hpp and measure/ncu/metrics.cpp; whatever else names
// them says the same.
#include "measure/ncu/metrics.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "workbook/workbook.hpp"

namespace {

std::vector<std::string> lines_of_document(const std::string& file) {
  std::ifstream stream(workbook::here().source_root + "/" + file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

std::set<std::string> all_metrics() {
  std::istringstream list(measure::metric_list());
  std::set<std::string> names;
  for (std::string name; std::getline(list, name, ',');) names.insert(name);
  return names;
}

}  // namespace

TEST_CASE("docs/counters.md names the metrics of each counter") {
  std::map<std::string, std::string> rows;
  for (const std::string& line : lines_of_document("docs/counters.md")) {
    const std::vector<std::string> name = matches(line, "^\\| `([a-z_]+)` \\|");
    if (!name.empty()) rows[name.front()] = line.substr(line.rfind('|', line.size() - 2));
  }
  for (const facts::CounterRow& row : measure::measured_counters()) {
    const facts::Quantity& counter = row.quantity;
    CAPTURE(counter.name);
    std::vector<std::string> expected;
    for (const facts::Metric& metric : counter.sum) {
      expected.emplace_back(metric.name);
      if (!metric.instances.empty()) expected.emplace_back(metric.instances);
    }
    CHECK(matches(rows[std::string(counter.name)], "`([^`]+)`") == expected);
    rows.erase(std::string(counter.name));
  }
  for (const auto& named : rows) {
    CAPTURE(named.first);
    CHECK(named.second.find("no metric") != std::string::npos);
  }
}

TEST_CASE("tests/golden/measure.sh counts the counters by the same metrics") {
  std::vector<std::string> expected, found;
  for (const facts::CounterRow& row : measure::measured_counters()) {
    const facts::Quantity& counter = row.quantity;
    std::string line(counter.name);
    for (const facts::Metric& metric : counter.sum) {
      line += " " + std::string(metric.name) +
              (metric.instances.empty() ? "" : "[" + std::string(metric.instances) + "]");
    }
    expected.push_back(line);
  }
  bool inside = false;
  for (const std::string& line : lines_of_document("tests/golden/measure.sh")) {
    if (line == "END") inside = false;
    if (inside && !line.starts_with("also:")) found.push_back(line);
    if (line == "cat > \"$scratch/counters\" <<'END'") inside = true;
  }
  CHECK(found == expected);
}

TEST_CASE("the section of Nsight Compute shows every metric") {
  std::string text;
  for (const std::string& line : lines_of_document("common/measure/ncu/sections/Histogram.section"))
    text += line + "\n";
  const std::vector<std::string> names = matches(text, "Name: \"([^\" ]+__[^\" ]+)\"");
  CHECK(std::set<std::string>(names.begin(), names.end()) == all_metrics());
}

TEST_CASE("only integrated GPUs lack the metrics of device memory") {
  CHECK(measure::has_metric("GH100", "dram__bytes.sum"));
  CHECK_FALSE(measure::has_metric("GB10B", "dram__bytes.sum"));
  CHECK(measure::has_metric("GB10B", "smsp__inst_executed.sum"));
}
