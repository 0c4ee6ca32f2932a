// SPDX-License-Identifier: MIT
#include "report/page/roofline.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace report::page {

namespace {

constexpr std::uint64_t counted_length = 1 << 20;

double bytes_a_thread(const Record& record) {
  return static_cast<double>(record.length) /
         (static_cast<double>(record.grid) * static_cast<double>(record.block));
}

// Grids are whole numbers of blocks, so bytes a thread are seldom quite the same.
bool is_scaled(const Record& measured, const Record& counted) {
  constexpr double tolerance = 1.1;
  if (measured.grid == 0 || counted.grid == 0 || measured.block != counted.block) return false;
  const double ratio = bytes_a_thread(measured) / bytes_a_thread(counted);
  // Where a thread has one byte, the last block may be half empty.
  return (ratio < tolerance && ratio > 1 / tolerance) ||
         (bytes_a_thread(measured) <= 1 && bytes_a_thread(counted) <= 1);
}

const Record* counted_like(const Record& measured, const std::vector<Record>& records) {
  const auto fits = [&](const Record& other) {
    return other.backend == "sim" && other.passed() && other.length > 0 && !other.counters.empty() &&
           other.lab == measured.lab && other.exercise == measured.exercise && other.tree == measured.tree &&
           other.binning == measured.binning && other.input == measured.input && is_scaled(measured, other);
  };
  const auto found = std::find_if(records.rbegin(), records.rend(), fits);
  return found == records.rend() ? nullptr : &*found;
}

void add_rung(Roofline& roofline, const Record& rung, const std::vector<Record>& records) {
  const Record* const counted = counted_like(rung, records);
  if (!counted) {
    roofline.uncounted.push_back(rung);
    return;
  }
  const auto global = static_cast<double>(counted->counters.value("global_atomics"));
  const auto shared = static_cast<double>(counted->counters.value("shared_atomics"));
  RooflinePoint point{rung, throughput_gb_s(rung, rung.time_ms->median),
                      (global + shared) / static_cast<double>(counted->length), shared > global};
  if (point.atomics_a_byte == 0) return;  // it has no place on a logarithmic axis
  double& rate = point.shared ? roofline.shared_rate : roofline.global_rate;
  rate = std::max(rate, point.gb_s * point.atomics_a_byte);
  roofline.points.push_back(std::move(point));
}

}  // namespace

std::vector<Roofline> rooflines(const std::vector<Ladder>& ladders, const std::vector<Record>& records) {
  std::vector<Roofline> found;
  for (const Ladder& ladder : ladders) {
    const Record* const limit = ladder.read_limit();
    if (!ladder.timed || !limit) continue;
    const Record& lab = ladder.lab();
    auto roofline = std::ranges::find_if(
        found, [&](const Roofline& other) { return other.tree == lab.tree && other.binning == lab.binning; });
    if (roofline == found.end()) roofline = found.insert(found.end(), Roofline{lab.tree, lab.binning});
    roofline->read_limit_gb_s =
        std::max(roofline->read_limit_gb_s, throughput_gb_s(*limit, limit->time_ms->median));
    for (const Record& rung : ladder.rungs) {
      if (rung.backend == "gpu" && !rung.is_peer() && rung.passed() && rung.time_ms)
        add_rung(*roofline, rung, records);
    }
  }
  return found;
}

std::string counting_command(const Record& measured) {
  const double threads = std::max(1.0, static_cast<double>(counted_length) / bytes_a_thread(measured));
  const auto grid =
      static_cast<std::uint64_t>(std::max(1.0, std::round(threads / static_cast<double>(measured.block))));
  const auto length = static_cast<std::uint64_t>(
      std::round(bytes_a_thread(measured) * static_cast<double>(grid * measured.block)));
  const std::string number = measured.lab.substr(0, measured.lab.find('_'));
  return fmt::format("lab run {}{} --on sim{} --input {} --binning {} --block {} --grid {} --length {}",
                     number, measured.exercise == "histogram" ? "" : "/" + measured.exercise,
                     measured.tree == "solution" ? " --solution" : "", measured.input, measured.binning,
                     measured.block, grid, length);
}

}  // namespace report::page
