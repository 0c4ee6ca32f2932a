// SPDX-License-Identifier: MIT
#include "measure/ncu/metrics.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace measure {

namespace {

// Stalls are of warps for each instruction issued: how many warps, on average, waited for that reason when
// one was issued.
constexpr std::array<facts::Quantity, 14> figures{{
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

}  // namespace measure
