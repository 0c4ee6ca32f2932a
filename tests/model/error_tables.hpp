// SPDX-License-Identifier: MIT
// The tables of docs/estimates.md and docs/unseen-kernels.md, made from records of estimates beside measured
// times: docs/records/estimates/h200.jsonl, which estimate-errors writes, and docs/records/SET/, which
// unseen-kernels writes.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace error_tables {

using Json = nlohmann::ordered_json;

inline std::vector<Json> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<Json> all;
  for (std::string line; std::getline(file, line);) all.push_back(Json::parse(line));
  return all;
}

// What a GPU took for a set, of its folder in docs/records: an H200, or else an H100, which has the same
// multiprocessors.
inline std::vector<Json> measured_of(const std::string& folder) {
  std::vector<Json> rows = lines_of(folder + "h200.jsonl");
  return rows.empty() ? lines_of(folder + "h100.jsonl") : rows;
}

struct Row {
  std::string group;
  bool fitted = false;
  double measured = 0, estimated = 0;
  double error() const { return estimated / measured - 1; }
};

// `key`: "ms" with what nvcc says, where it was there; "ms_without_nvcc".
inline std::vector<Row> rows_of(const std::vector<Json>& lines, const std::string& key) {
  std::vector<Row> rows;
  for (const Json& line : lines)
    rows.push_back({line.at("group"), line.at("fitted"), line.at("measured_ms"), line.at(key)});
  return rows;
}

inline double quantile(std::vector<double> values, double part) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size()))) - 1];
}

// Of all pairs whose measured times differ by more than 1.25: the share whose estimates are in the same
// order.
inline double share_in_order(const std::vector<Row>& rows) {
  constexpr double differ = 1.25;
  std::size_t right = 0, pairs = 0;
  for (const Row& one : rows) {
    for (const Row& other : rows) {
      if (other.measured <= differ * one.measured) continue;
      ++pairs;
      right += other.estimated > one.estimated;
    }
  }
  return pairs ? static_cast<double>(right) / static_cast<double>(pairs) : 1;
}

inline std::string line_of(const std::string& name, const std::vector<Row>& rows) {
  std::vector<double> errors;
  double signed_sum = 0;
  std::size_t within20 = 0, within40 = 0;
  for (const Row& row : rows) {
    errors.push_back(std::abs(row.error()));
    signed_sum += row.error();
    within20 += errors.back() <= 0.2;
    within40 += errors.back() <= 0.4;
  }
  const auto count = static_cast<double>(rows.size());
  return fmt::format(
      "| {} | {} | {:.1f} % | {:.1f} % | {:.0f} % | {:+.1f} % | {:.0f} % | {:.0f} % | {:.1f} % |\n", name,
      rows.size(), 100 * quantile(errors, 0.5), 100 * quantile(errors, 0.9), 100 * quantile(errors, 1),
      100 * signed_sum / count, 100 * static_cast<double>(within20) / count,
      100 * static_cast<double>(within40) / count, 100 * share_in_order(rows));
}

inline std::string errors(const std::vector<Row>& rows) {
  std::string table =
      "| rows | how many | median error | nine in ten within | worst | mean | within 20 % | within 40 % | "
      "pairs in order |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
  std::set<std::string> groups;
  for (const Row& row : rows) groups.insert(row.group);
  const auto part = [&](const std::string& name, auto is_in) {
    std::vector<Row> chosen;
    std::ranges::copy_if(rows, std::back_inserter(chosen), is_in);
    if (!chosen.empty()) table += line_of(name, chosen);
  };
  for (const std::string& group : groups) part(group, [&](const Row& row) { return row.group == group; });
  part("**all fitted**", [](const Row& row) { return row.fitted; });
  part("**all unseen**", [](const Row& row) { return !row.fitted; });
  return table;
}

// The binning of a histogram, or the operator of a reduction.
inline std::string variant_of(const Json& row) {
  return row.at(row.contains("operator") ? "operator" : "binning").get<std::string>();
}

inline bool is_same_case(const Json& one, const Json& other) {
  return variant_of(one) == variant_of(other) &&
         std::ranges::all_of(std::array{"kernel", "input", "length"},
                             [&](const char* key) { return one.at(key) == other.at(key); });
}

// Of the estimates those that have been measured. `key` as above.
inline std::vector<Row> rows_of_set(const std::string& set, const std::vector<Json>& estimates,
                                    const std::vector<Json>& measured, const std::string& key) {
  std::vector<Row> rows;
  for (const Json& row : estimates) {
    const auto found =
        std::ranges::find_if(measured, [&](const Json& other) { return is_same_case(row, other); });
    if (found != measured.end()) rows.push_back({set, false, found->at("ms"), row.at(key)});
  }
  return rows;
}

// A row for each estimate that is off by so much or more, and what holds of all.
inline std::string unseen(const std::vector<Json>& estimates, const std::vector<Json>& measured,
                          double shown_from = 0) {
  std::string table =
      "| kernel | binning or operator | MiB | measured, ms | estimate, ms | off by | in its range |\n"
      "|---|---|---:|---:|---:|---:|---|\n";
  std::vector<Row> all;
  std::size_t in_range = 0;
  for (const Json& row : estimates) {
    const auto found =
        std::ranges::find_if(measured, [&](const Json& other) { return is_same_case(row, other); });
    if (found == measured.end()) continue;
    all.push_back({"", false, found->at("ms"), row.at("ms")});
    const double ms = all.back().measured;
    const bool inside = row.at("low") <= ms && ms <= row.at("high");
    in_range += inside;
    if (std::abs(all.back().error()) < shown_from) continue;
    table += fmt::format("| {} | `{}` | {} | {:.4g} | {:.4g} | {:+.0f} % | {} |\n",
                         row.at("kernel").get<std::string>(), variant_of(row),
                         row.value("bytes", row.at("length").get<std::uint64_t>()) >> 20, ms,
                         all.back().estimated, 100 * all.back().error(), inside ? "yes" : "no");
  }
  if (all.empty()) return table;
  std::vector<double> errors;
  for (const Row& row : all) errors.push_back(std::abs(row.error()));
  return table + fmt::format(
                     "| **all {}** | | | | | median {:.0f} %, nine in ten within {:.0f} %, worst {:.0f} %; "
                     "{:.0f} % of pairs in order | {} |\n",
                     all.size(), 100 * quantile(errors, 0.5), 100 * quantile(errors, 0.9),
                     100 * quantile(errors, 1), 100 * share_in_order(all), in_range);
}

}  // namespace error_tables
