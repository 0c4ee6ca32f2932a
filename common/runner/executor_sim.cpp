// SPDX-License-Identifier: MIT
// Runs a kernel on the simulator, or a function of the CPU's as its only thread.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "runner/executor.hpp"
#include "runner/launch_outcome.hpp"
#include "simulator/memory_map.hpp"
#include "simulator/model_device.hpp"

namespace runner {

namespace {

// The most that the copies of an output may take on the simulated device; the host has to hold them.
constexpr std::size_t output_limit_bytes = std::size_t{2} << 30;

// Adds what a further launch of the same run has given.
void add(simulator::LaunchResult& all, simulator::LaunchResult next) {
  if (!all.refused) all.refused = std::move(next.refused);
  std::ranges::move(next.hazards, std::back_inserter(all.hazards));
  std::ranges::move(next.notes, std::back_inserter(all.notes));
  all.counters += next.counters;
  for (const auto& [place, counters] : next.places) all.places[place] += counters;
  if (!all.trace) all.trace = std::move(next.trace);
}

struct ShapeRequest {
  LaunchShape (*function)(std::size_t length);
  std::size_t length;
  LaunchShape* shape;
};

void ask_for_shape(const void* arguments) {
  const auto& asked = *static_cast<const ShapeRequest*>(arguments);
  *asked.shape = asked.function(asked.length);
}

class SimulatorExecutor final : public Executor {
 public:
  explicit SimulatorExecutor(const Exercise& exercise) : exercise_(exercise) {}

  std::string name() const override { return exercise_.is_launched() ? "sim" : "cpu"; }
  std::string device() const override { return simulator::ModelDevice::name; }

  RunAnswer run(const Variant& variant, const RunRequest& request, const problems::Input& input) override {
    RunAnswer answer;
    const std::optional<LaunchShape> asked = shape_for(request, answer);
    if (!asked) {
      add_output(answer, problems::Output(variant.result_bytes(request.length)));
      return answer;
    }
    const LaunchShape shape = *asked;
    answer.grid = shape.grid;
    answer.block = shape.block;
    const bool refused = shape.block == 0 || shape.block > simulator::ModelDevice::threads_of_block ||
                         shape.grid > simulator::ModelDevice::grid_x;
    const std::size_t result_bytes = variant.result_bytes(request.length);
    const RunLayouts layouts = layouts_of(exercise_, variant, request, shape);
    if (!refused && layouts.output.payload > output_limit_bytes) {
      answer.failure = RunFailure{
          RunFailure::Kind::too_large,
          fmt::format("the {} copies of {} take {} MiB; the simulated device has {} MiB for them", shape.grid,
                      exercise_.output.name, layouts.output.payload >> 20, output_limit_bytes >> 20)};
      return answer;
    }
    simulator::DeviceBuffer data(layouts.input.payload, {exercise_.input.name, exercise_.input.element_bytes,
                                                         layouts.input.misalignment});
    simulator::DeviceBuffer output(refused ? result_bytes : layouts.output.payload,
                                   {exercise_.output.name, exercise_.output.element_bytes});
    input.read(0, data.bytes());
    std::ranges::fill(output.bytes(), 0);
    LaunchOutcome outcome;
    outcome.configuration = configuration_of(request);
    outcome.result.counters = simulator::counted_by(outcome.configuration);
    const std::unique_ptr<ConductObserver> conduct = observer(variant, request, data.bytes(), output.bytes());
    outcome.configuration.observer = conduct.get();
    // CUDA refuses a grid of no blocks, so an empty input is not launched.
    if (request.length > 0 || !exercise_.is_launched()) {
      variant.launch(shape, data.bytes().data(), request.length, output.bytes().data(), outcome);
    }
    if (outcome.result.refused) {
      answer.failure = RunFailure{RunFailure::Kind::launch_error, *outcome.result.refused};
      return answer;
    }
    add_result(outcome.result, request, answer);
    if (conduct) answer.conduct = conduct->counted();
    const auto first = output.bytes().begin();
    add_output(answer, {first, first + static_cast<std::ptrdiff_t>(result_bytes)});
    return answer;
  }

 private:
  // The exercise's function runs as a thread of the simulator's too, so that it is seen to touch nothing but
  // its own memory. nullopt if it failed.
  std::optional<LaunchShape> shape_for(const RunRequest& request, RunAnswer& answer) const {
    if (!exercise_.is_launched()) return LaunchShape{1, 1};
    LaunchShape shape{};
    const ShapeRequest asked{exercise_.launch_shape, request.length, &shape};
    const simulator::LaunchConfiguration configuration{.grid = 1,
                                                       .block = 1,
                                                       .counters = false,
                                                       .host_code = true,
                                                       .own_memory = true,
                                                       // what it does to its own memory is not recorded
                                                       .patience = std::int64_t{1} << 56,
                                                       .time_limit = configuration_of(request).time_limit};
    const simulator::LaunchResult result = simulator::launch(configuration, {&ask_for_shape, &asked});
    for (const simulator::Hazard& hazard : result.hazards)
      answer.observations.push_back(observation_of(hazard, false));
    if (!result.hazards.empty()) return std::nullopt;
    return with_options(shape, request.options);
  }

  static simulator::LaunchConfiguration configuration_of(const RunRequest& request) {
    simulator::LaunchConfiguration configuration;
    configuration.places = request.options.places;
    configuration.trace = request.options.trace;
    configuration.lockstep_seed = request.options.lockstep_seed;
    if (request.end_after_ms) configuration.time_limit = std::chrono::milliseconds(*request.end_after_ms);
    return configuration;
  }

  std::unique_ptr<ConductObserver> observer(const Variant& variant, const RunRequest& request,
                                            std::span<const unsigned char> input,
                                            std::span<const unsigned char> output) const {
    if (!request.conduct || !exercise_.observe) return nullptr;
    return std::unique_ptr<ConductObserver>(exercise_.observe(
        {input.data(), input.size()}, {output.data(), variant.result_bytes(request.length)}));
  }

  void add_result(const simulator::LaunchResult& result, const RunRequest& request, RunAnswer& answer) const {
    const bool is_kernel = exercise_.is_launched();
    for (const simulator::Hazard& hazard : result.hazards)
      answer.observations.push_back(observation_of(hazard, is_kernel));
    for (const simulator::Hazard& note : result.notes)
      answer.notes.push_back(observation_of(note, is_kernel));
    if (is_kernel) answer.counters = result.counters;
    answer.places.insert(result.places.begin(), result.places.end());
    if (request.options.trace) answer.trace = result.trace.value_or(facts::Trace{});
  }

  const Exercise& exercise_;
};

}  // namespace

void simulate(const LaunchShape& shape, facts::ThreadProgram thread, LaunchOutcome& outcome) {
  simulator::LaunchConfiguration& configuration = outcome.configuration;
  configuration.grid = shape.grid;
  configuration.block = shape.block;
  configuration.dynamic_shared_bytes = shape.shared_bytes;
  add(outcome.result, simulator::launch(configuration, thread));
}

void simulate_host_code(facts::ThreadProgram thread, LaunchOutcome& outcome) {
  outcome.result = simulator::launch({.grid = 1,
                                      .block = 1,
                                      .counters = false,
                                      .host_code = true,
                                      .time_limit = outcome.configuration.time_limit},
                                     thread);
}

std::unique_ptr<Executor> make_executor(const Exercise& exercise) {
  return std::make_unique<SimulatorExecutor>(exercise);
}

}  // namespace runner
