// SPDX-License-Identifier: MIT
#include "measure/ncu/metrics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <vector>

namespace measure {

namespace {

// Stalls are of warps for each instruction issued: how many warps, on average, waited for that reason when
// one was issued.
constexpr std::array<facts::Quantity, 15> figures{{
    {"kernel_time",
     {{"gpu__time_duration.sum"}},
     "ns",
     "how long the kernel took under the profiler; lab run measures better"},
    {"dram_bytes", {{"dram__bytes.sum"}}, "byte", "read from and written to device memory"},
    {"dram_throughput", {{"dram__bytes.sum.per_second"}}, "byte/s", "the same for each second"},
    {"dram_share",
     {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"}},
     "%",
     "of the most that device memory can give"},
    {"l1_share",
     {{"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed"}},
     "%",
     "wavefronts of the L1 cache and shared memory, of the most that they can give"},
    {"occupancy",
     {{"sm__warps_active.avg.pct_of_peak_sustained_active"}},
     "%",
     "warps at work, of those that a multiprocessor has room for"},
    {"instructions", {{"smsp__inst_executed.sum"}}, "", "instructions of warps"},
    {"active_lanes",
     {{"smsp__thread_inst_executed_per_inst_executed.ratio"}},
     "",
     "lanes that took part in each, on average; 32 where no warp diverges"},
    {"divergent_branches",
     {{"smsp__sass_branch_targets_threads_divergent.sum"}},
     "",
     "branches at which the lanes of a warp parted"},
    {"issue_share",
     {{"smsp__issue_active.avg.pct_of_peak_sustained_active"}},
     "%",
     "cycles in which a scheduler found a warp that was ready"},
    {"stall_long_scoreboard",
     {{"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"}},
     "",
     "warps that waited for global memory, for each instruction issued"},
    {"stall_short_scoreboard",
     {{"smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio"}},
     "",
     "warps that waited for shared memory, or for what shares its queue"},
    {"stall_mio_throttle",
     {{"smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio"}},
     "",
     "warps that waited because the queue to shared memory was full"},
    {"stall_lg_throttle",
     {{"smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio"}},
     "",
     "warps that waited because the queue to global memory was full"},
    {"stall_barrier",
     {{"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"}},
     "",
     "warps that waited at a barrier of their block"},
}};

// Tegra's: their memory is the host's.
constexpr std::array<std::string_view, 3> integrated{"GA10B", "GB10B", "GB20B"};

}  // namespace

std::span<const facts::CounterRow> measured_counters() {
  static const std::vector<facts::CounterRow> measured = [] {
    std::vector<facts::CounterRow> rows(facts::counter_table.begin(), facts::counter_table.end());
    std::erase_if(rows, [](const facts::CounterRow& row) { return row.quantity.sum.empty(); });
    return rows;
  }();
  return measured;
}

std::span<const facts::Quantity> measured_figures() { return figures; }

bool has_metric(std::string_view chip, std::string_view metric) {
  const bool of_device_memory = metric.starts_with("dram__") || metric.starts_with("gpu__dram_");
  return !of_device_memory || std::ranges::find(integrated, chip) == integrated.end();
}

std::string metric_list() {
  std::vector<std::string_view> names;
  const auto add = [&](const facts::Quantity& quantity) {
    for (const facts::Metric& metric : quantity.sum) {
      if (std::ranges::find(names, metric.name) == names.end()) names.push_back(metric.name);
    }
  };
  for (const facts::CounterRow& row : measured_counters()) add(row.quantity);
  for (const facts::Quantity& figure : figures) add(figure);
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : ",") + std::string(name);
  return list;
}

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
