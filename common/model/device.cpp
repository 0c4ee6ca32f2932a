// SPDX-License-Identifier: MIT
#include "model/device.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "facts/errors.hpp"

namespace model {

// Between two rows of the table on the straight line of their logarithms.
double Device::slices(double lines) const {
  if (lines <= slices_of_lines.front().first) return slices_of_lines.front().second;
  for (std::size_t i = 1; i < slices_of_lines.size(); ++i) {
    const auto& [from, low] = slices_of_lines[i - 1];
    const auto& [to, high] = slices_of_lines[i];
    if (lines > to) continue;
    const double part = std::log(lines / from) / std::log(to / from);
    return low * std::pow(high / low, part);
  }
  return slices_of_lines.back().second;
}

// Blocks wait for their atomics, so they gather at slices that have much to do, as in any closed network of
// queues: of N equal queues and M customers, M / (M + N - 1) of the queues are busy.
double Device::own_turn_cycles(double pieces) const {
  const double slices = turn_cycles / private_turn_cycles;  // that work side by side if all have enough to do
  return private_turn_cycles * (pieces + slices - 1) / pieces;
}

std::vector<std::string> device_ids(const std::string& folder) {
  std::vector<std::string> ids;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") ids.push_back(entry.path().stem().string());
  }
  std::ranges::sort(ids);
  return ids;
}

Device read_device(const std::string& folder, const std::string& id) {
  const std::vector<std::string> known = device_ids(folder);
  if (std::ranges::count(known, id) == 0) {
    throw facts::UsageError(
        fmt::format("no GPU \"{}\" is known; those that are: {}", id, fmt::join(known, ", ")));
  }
  const std::string path = folder + "/" + id + ".json";
  Device device;
  std::string key;
  try {
    std::ifstream file(path);
    const nlohmann::json json = nlohmann::json::parse(file);
    const auto at = [&](const char* name) -> const nlohmann::json& {
      key = name;
      if (!json.contains(name)) throw std::runtime_error("it is missing");
      return json.at(name);
    };
    // A number is {"value": …, "source": …}: none stands there without where it comes from.
    const auto number = [&](const char* name) {
      const nlohmann::json& entry = at(name);
      entry.at("source").get_ref<const std::string&>();
      const auto value = entry.at("value").get<double>();
      if (!(value >= 0)) throw std::runtime_error("it is negative");
      return value;
    };
    device.id = id;
    device.name = at("name").get<std::string>();
    device.calibrated = at("calibrated").get<bool>();
    device.capability = number("capability");
    device.multiprocessors = number("multiprocessors");
    device.clock_mhz = number("clock_mhz");
    device.schedulers = number("schedulers");
    device.threads = number("threads");
    device.blocks = number("blocks");
    device.registers = number("registers");
    device.shared_bytes = number("shared_bytes");
    device.instruction_cycles = number("instruction_cycles");
    device.branch_cycles = number("branch_cycles");
    device.special_register_cycles = number("special_register_cycles");
    device.special_read_cycles = number("special_read_cycles");
    device.issue_cycles = number("issue_cycles");
    device.integer_cycles = number("integer_cycles");
    device.shared_latency = number("shared_latency");
    device.shared_atomic_latency = number("shared_atomic_latency");
    device.l1_latency = number("l1_latency");
    device.l2_latency = number("l2_latency");
    device.dram_latency = number("dram_latency");
    device.dram_latency_spread = number("dram_latency_spread");
    device.dram_queue_cycles = number("dram_queue_cycles");
    device.wavefront_cycles = number("wavefront_cycles");
    device.dram_bytes_per_cycle = number("dram_bytes_per_cycle");
    device.dram_request_cycles = number("dram_request_cycles");
    device.turn_cycles = number("turn_cycles");
    device.full_turn_cycles = number("full_turn_cycles");
    device.private_turn_cycles = number("private_turn_cycles");
    device.private_request_cycles = number("private_request_cycles");
    device.atomic_miss_cycles = number("atomic_miss_cycles");
    device.atomic_request_cycles = number("atomic_request_cycles");
    at("slices_of_lines").at("source").get_ref<const std::string&>();
    device.slices_of_lines =
        json.at("slices_of_lines").at("value").get<std::vector<std::pair<double, double>>>();
    if (device.slices_of_lines.empty()) throw std::runtime_error("it is empty");
    device.shuffle_cycles = number("shuffle_cycles");
    device.redux_cycles = number("redux_cycles");
    device.match_cycles = number("match_cycles");
    device.match_cycles_of_value = number("match_cycles_of_value");
    device.shuffle_latency = number("shuffle_latency");
    device.vote_latency = number("vote_latency");
    device.redux_latency = number("redux_latency");
    device.match_latency = number("match_latency");
    device.match_latency_of_value = number("match_latency_of_value");
    device.constant_cycles = number("constant_cycles");
    device.constant_latency = number("constant_latency");
    device.constant_latency_of_word = number("constant_latency_of_word");
    device.jump_cycles = number("jump_cycles");
    device.jump_latency = number("jump_latency");
    device.parting_cycles = number("parting_cycles");
    device.cas_round_cycles = number("cas_round_cycles");
    device.cas_hold_cycles = number("cas_hold_cycles");
    device.long_cas_round_cycles = number("long_cas_round_cycles");
    device.barrier_cycles = number("barrier_cycles");
    device.barrier_cycles_of_warp = number("barrier_cycles_of_warp");
    device.block_start_cycles = number("block_start_cycles");
    device.block_end_cycles = number("block_end_cycles");
    device.launch_us = number("launch_us");
    device.error = number("error");
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: \"{}\": {}", path, key, error.what()));
  }
  return device;
}

}  // namespace model
