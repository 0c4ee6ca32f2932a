// SPDX-License-Identifier: MIT
#include "model/estimate.hpp"

#include <algorithm>
#include <cmath>

namespace model {

namespace {

constexpr unsigned lanes = 32;
constexpr std::uint64_t reserved_shared_bytes = 1024;  // the system's own, in every block
// What a sample holds: threads, and elements for each.
constexpr std::uint64_t sampled_threads = 16384;
constexpr double sampled_work = 64;
// Blocks of one multiprocessor that are simulated in time; further ones take as long as the last ones of these.
constexpr unsigned simulated_rounds = 4, fewest_simulated_blocks = 64;
// No unit is given more of DRAM than this, however few multiprocessors are at work: what one can receive.
constexpr double most_bytes_per_cycle = 32, fewest_request_cycles = 2;

using Busy = decltype(Course::busy);

Course combined(const Course& one, const Course& other, double of_other) {
  const auto mix = [&](double a, double b) { return a + of_other * (b - a); };
  Course course{mix(one.cycles, other.cycles), mix(one.instructions, other.instructions), {}};
  for (std::size_t i = 0; i < course.busy.size(); ++i) course.busy[i] = mix(one.busy[i], other.busy[i]);
  return course;
}

// Fewer multiprocessors have a larger share of DRAM each.
Device shared_by(Device device, double active) {
  const double more = device.multiprocessors / active;
  device.dram_bytes_per_cycle =
      std::max(device.dram_bytes_per_cycle, std::min(most_bytes_per_cycle, device.dram_bytes_per_cycle * more));
  device.dram_request_cycles =
      std::min(device.dram_request_cycles, std::max(fewest_request_cycles, device.dram_request_cycles / more));
  return device;
}

// Lines on which atomics of several blocks meet work side by side, unless one of them has most to do.
double common_slices(const Stream& stream, const Device& device) {
  if (stream.busiest_turns == 0) return 1;
  const double even = static_cast<double>(stream.common_turns) / static_cast<double>(stream.busiest_turns);
  return std::max(1.0, std::min(even, device.slices(static_cast<double>(stream.common_lines))));
}

// The busiest multiprocessor over its blocks, all of them with the work of the sample's.
Course over_blocks(const Launch& launch, const Stream& stream, unsigned resident, const Device& device,
                   const InstructionTable& table) {
  const double active = std::min<double>(device.multiprocessors, static_cast<double>(launch.grid));
  const Device here = shared_by(device, active);
  Setting setting{.blocks = 0, .resident = resident, .active = active, .common_slices = common_slices(stream, device)};
  const double blocks = std::ceil(static_cast<double>(launch.grid) / device.multiprocessors);
  const unsigned most = std::max(simulated_rounds * resident, fewest_simulated_blocks);
  setting.blocks = static_cast<unsigned>(std::min<double>(blocks, most));
  const Course first = simulate(stream.blocks, here, setting, table);
  if (blocks <= most) return first;
  setting.blocks = most / 2;
  const Course half = simulate(stream.blocks, here, setting, table);
  return combined(half, first, (blocks - most / 2) / (most - most / 2));
}

}  // namespace

unsigned resident_blocks(unsigned threads, std::uint64_t shared_bytes, const Device& device) {
  const unsigned warps = (threads + lanes - 1) / lanes;
  if (warps == 0) return 0;
  const double by_threads = std::floor(device.threads / (warps * lanes)),
               by_memory = std::floor(device.shared_bytes / static_cast<double>(shared_bytes + reserved_shared_bytes));
  return static_cast<unsigned>(std::min({by_threads, by_memory, device.blocks}));
}

SampleSize sample_size(const Launch& launch, std::uint64_t length, double part) {
  const std::uint64_t grid = std::clamp<std::uint64_t>(sampled_threads / launch.block, 1, launch.grid);
  const double threads = static_cast<double>(grid) * launch.block;
  const double work = std::min(launch.work, has_little_work(launch) ? launch.work : part * sampled_work);
  return {grid, std::min(length, static_cast<std::uint64_t>(work * threads))};
}

bool has_little_work(const Launch& launch) { return launch.work <= sampled_work; }

Estimate estimate(const Launch& launch, const std::vector<Sample>& samples, const Device& device,
                  const InstructionTable& table) {
  Estimate result;
  result.resident = resident_blocks(
      launch.block, std::max(launch.dynamic_shared_bytes, samples.back().stream.shared_bytes), device);
  Course course = over_blocks(launch, samples.back().stream, result.resident, device, table);
  if (samples.size() > 1) {
    const Course less = over_blocks(launch, samples.front().stream, result.resident, device, table);
    const double step = samples.back().work - samples.front().work;
    course = combined(less, course, (launch.work - samples.front().work) / step);
  }
  const double us = device.us(course.cycles) + device.launch_us * static_cast<double>(launch.launches);
  result.ms = us / 1e3;
  result.instructions =
      course.instructions * std::min<double>(device.multiprocessors, static_cast<double>(launch.grid));
  for (std::size_t i = 0; i < bound_names.size(); ++i)
    result.bound_by.push_back({bound_names[i], std::clamp(course.busy[i] / course.cycles, 0.0, 1.0)});
  std::ranges::stable_sort(result.bound_by, std::greater{}, &Share::share);
  return result;
}

}  // namespace model
