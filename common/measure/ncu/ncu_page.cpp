// SPDX-License-Identifier: MIT
#include "measure/ncu/ncu_page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace measure {

namespace {

// The fields of a line of CSV (RFC 4180; no field of ncu's spans lines).
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

// A number as ncu writes it, with or without thousands separators; nothing for other text, "n/a" among it.
std::optional<double> number(std::string text) {
  std::erase(text, ',');
  std::erase(text, ' ');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "8 (ATOMS: 5; BAR.SYNC: 3)": the sum over the instances whose names begin with `prefix`.
std::optional<double> sum_of_instances(const std::string& text, std::string_view prefix) {
  const std::size_t begin = text.find('('), end = text.rfind(')');
  if (begin == std::string::npos || end == std::string::npos) return std::nullopt;
  double sum = 0;
  std::istringstream instances(text.substr(begin + 1, end - begin - 1));
  for (std::string instance; std::getline(instances >> std::ws, instance, ';');) {
    const std::size_t colon = instance.rfind(':');
    const auto value = colon == std::string::npos ? std::nullopt : number(instance.substr(colon + 1));
    if (!value) return std::nullopt;
    if (instance.starts_with(prefix)) sum += *value;
  }
  return sum;
}

// What different versions of ncu call the base units of figures.
std::string_view usual_unit(std::string_view unit) {
  if (unit == "nsecond") return "ns";
  if (unit == "byte/second") return "byte/s";
  return unit;
}

std::optional<double> metric_value(const ProfiledLaunch& launch, const facts::Metric& metric,
                                   std::string_view unit) {
  const auto found = launch.cells.find(std::string(metric.name));
  if (found == launch.cells.end()) return std::nullopt;
  const auto& [text, its_unit] = found->second;
  // Plain numbers have units such as "inst" and "request", which say nothing.
  if (!unit.empty() && usual_unit(its_unit) != unit) {
    throw PageError(fmt::format("ncu gives {} in \"{}\" instead of \"{}\"", metric.name, its_unit, unit));
  }
  return metric.instances.empty() ? number(text.substr(0, text.find('(')))
                                  : sum_of_instances(text, metric.instances);
}

}  // namespace

std::optional<double> ProfiledLaunch::value(const facts::Quantity& quantity) const {
  double sum = 0;
  for (const facts::Metric& metric : quantity.sum) {
    const auto one = metric_value(*this, metric, quantity.unit);
    if (!one) return std::nullopt;
    sum += *one;
  }
  return sum;
}

std::vector<ProfiledLaunch> read_raw_page(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::string> columns, units;
  std::vector<ProfiledLaunch> launches;
  for (std::string line; std::getline(lines, line);) {
    if (columns.empty() && !line.starts_with("\"ID\",")) continue;
    if (line.empty() || line == "\r") continue;
    std::vector<std::string> fields = fields_of(line);
    if (columns.empty()) {
      columns = std::move(fields);
      continue;
    }
    if (fields.size() != columns.size()) {
      throw PageError(fmt::format("a row of ncu's page has {} fields under {} column names", fields.size(),
                                  columns.size()));
    }
    if (units.empty()) {
      units = std::move(fields);
      continue;
    }
    ProfiledLaunch launch;
    for (std::size_t i = 0; i < columns.size(); ++i) launch.cells[columns[i]] = {fields[i], units[i]};
    launch.kernel = launch.cells["Kernel Name"].value;
    launches.push_back(std::move(launch));
  }
  if (columns.empty()) throw PageError("ncu printed no table");
  return launches;
}

}  // namespace measure
