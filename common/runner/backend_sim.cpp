// SPDX-License-Identifier: MIT
// Runs a kernel on the simulator, or a function of the CPU's as its only thread.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "runner/backend.hpp"
#include "runner/conduct_observer.hpp"
#include "runner/launch_outcome.hpp"
#include "simulator/device_memory.hpp"
#include "simulator/model_device.hpp"

namespace runner {

namespace {

// What the copies of a histogram may take on the simulated device; the host has to hold them.
constexpr std::size_t histogram_limit_bytes = std::size_t{2} << 30;

const char* name_of(simulator::HazardKind kind) {
  switch (kind) {
    case simulator::HazardKind::out_of_bounds:
      return "out_of_bounds";
    case simulator::HazardKind::uninitialised:
      return "uninitialised";
    case simulator::HazardKind::divergent_barrier:
      return "divergent_barrier";
    case simulator::HazardKind::trap:
      return "crash";
    case simulator::HazardKind::beyond_limit:
      return "limit";
    case simulator::HazardKind::endless:
      return "timeout";
    default:
      return "race";
  }
}

std::string name_of(const simulator::ThreadLocation& at) {
  return fmt::format("thread ({},{},{}) of block ({},{},{})", at.thread.x, at.thread.y, at.thread.z,
                     at.block.x, at.block.y, at.block.z);
}

// What a race lacks: an atomic where threads of different blocks meet or where a value is read, changed and
// written back, else a barrier, which within a warp can be the warp's.
std::string diagnosis_of(const simulator::Hazard& hazard) {
  if (hazard.kind != simulator::HazardKind::race) return {};
  if (hazard.across_blocks || hazard.read_modify_write) return "missing_atomic";
  return hazard.within_warp ? "missing_warp_sync" : "missing_barrier";
}

// Which threads did it, and how often; a line of its own.
std::string threads_of(const simulator::Hazard& hazard) {
  std::string text = "\n  " + name_of(hazard.threads.front());
  for (std::size_t i = 1; i < hazard.threads.size(); ++i) text += " and " + name_of(hazard.threads[i]);
  if (hazard.occurrences > 1) {
    const bool of_pairs =
        hazard.kind == simulator::HazardKind::race || hazard.kind == simulator::HazardKind::same_value;
    text += fmt::format("; {} {}, the first is shown", hazard.occurrences, of_pairs ? "such pairs" : "times");
  }
  return text;
}

Observation observation_of(const simulator::Hazard& hazard, bool of_kernel) {
  return {name_of(hazard.kind),
          of_kernel ? hazard.what + threads_of(hazard) : hazard.what,
          {hazard.sites.begin(), hazard.sites.end()},
          diagnosis_of(hazard)};
}

Note note_of(const simulator::Hazard& hazard) {
  return {hazard.what + threads_of(hazard), {hazard.sites.begin(), hazard.sites.end()}};
}

simulator::TraceRequest traced(const TraceRequest& request) {
  simulator::TraceRequest result;
  for (const TraceRequest::Blocks& blocks : request.blocks)
    result.blocks.push_back({blocks.first, blocks.last});
  return result;
}

Trace told(const simulator::Trace& trace) {
  Trace result;
  result.truncated = trace.truncated;
  for (const simulator::TraceArray& array : trace.arrays) {
    result.arrays.push_back(
        {array.name, array.space == simulator::Space::shared, array.bytes, array.element_bytes});
  }
  for (const simulator::TraceEvent& event : trace.events) {
    result.events.push_back({static_cast<unsigned>(event.step), event.block, event.warp, event.lanes,
                             event.place, event.size, event.array, event.offsets.first, event.offsets.stride,
                             event.offsets.each});
  }
  return result;
}

class SimulatorBackend final : public Backend {
 public:
  explicit SimulatorBackend(const Exercise& exercise) : exercise_(exercise) {}

  std::string name() const override { return is_kernel() ? "sim" : "cpu"; }
  std::string device() const override { return simulator::ModelDevice::name; }

  RunAnswer run(const Kernel& kernel, const RunRequest& request, const histogram::Input& input) override {
    const LaunchShape shape = requested_shape(exercise_, request);
    RunAnswer answer;
    answer.grid = shape.grid;
    answer.block = shape.block;
    const std::size_t bytes = histogram_bytes(exercise_, kernel, shape);
    const bool refused = shape.block == 0 || shape.block > simulator::ModelDevice::threads_of_block ||
                         shape.grid > simulator::ModelDevice::grid_x;
    if (!refused && bytes > histogram_limit_bytes) {
      answer.failure = RunFailure{
          RunFailure::Kind::too_large,
          fmt::format("the {} copies of the histogram take {} MiB; the simulated device has {} MiB for them",
                      shape.grid, bytes >> 20, histogram_limit_bytes >> 20)};
      return answer;
    }
    simulator::DeviceBuffer data(request.length, {"data", 1, request.misalignment});
    simulator::DeviceBuffer histo(refused ? 0 : bytes, {"histo", sizeof(std::uint32_t)});
    input.read(0, data.bytes());
    std::ranges::fill(histo.bytes(), 0);
    LaunchOutcome outcome;
    outcome.configuration.lockstep_seed = request.lockstep_seed;
    outcome.result.counters = simulator::counted_by(outcome.configuration);
    outcome.configuration.places = request.places;
    if (request.trace) outcome.configuration.trace = traced(*request.trace);
    if (request.end_after_ms)
      outcome.configuration.time_limit = std::chrono::milliseconds(*request.end_after_ms);
    const std::size_t result_bytes =
        refused ? 0 : static_cast<std::size_t>(kernel.bins) * sizeof(std::uint32_t);
    ConductObserver conduct(data.bytes(), histo.bytes().first(result_bytes));
    if (request.conduct) outcome.configuration.observer = &conduct;
    // CUDA refuses a grid of no blocks, so an empty input is not launched.
    if (request.length > 0 || !is_kernel()) {
      kernel.launch(shape, data.bytes().data(), request.length,
                    reinterpret_cast<unsigned int*>(histo.bytes().data()), outcome);
    }
    if (outcome.result.refused) {
      answer.failure = RunFailure{RunFailure::Kind::launch_error, *outcome.result.refused};
      return answer;
    }
    for (const simulator::Hazard& hazard : outcome.result.hazards)
      answer.observations.push_back(observation_of(hazard, is_kernel()));
    for (const simulator::Hazard& hazard : outcome.result.notes) answer.notes.push_back(note_of(hazard));
    if (is_kernel()) answer.counters = outcome.result.counters;
    answer.places.insert(outcome.result.places.begin(), outcome.result.places.end());
    if (request.trace) answer.trace = told(outcome.result.trace.value_or(simulator::Trace{}));
    if (request.conduct) answer.conduct = conduct.counted();
    std::vector<std::uint32_t> result(static_cast<std::size_t>(kernel.bins));
    std::memcpy(result.data(), histo.bytes().data(), result.size() * sizeof(std::uint32_t));
    add_bins(answer, std::move(result));
    return answer;
  }

 private:
  bool is_kernel() const { return exercise_.launch_shape != nullptr; }

  const Exercise& exercise_;
};

}  // namespace

std::unique_ptr<Backend> make_backend(const Exercise& exercise) {
  return std::make_unique<SimulatorBackend>(exercise);
}

}  // namespace runner
