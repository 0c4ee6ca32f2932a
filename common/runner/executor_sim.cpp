// SPDX-License-Identifier: MIT
// Runs a kernel on the simulator, or a function of the CPU's as its only thread.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "model/stream_observer.hpp"
#include "runner/executor.hpp"
#include "runner/launch_outcome.hpp"
#include "runner/passes.hpp"
#include "runner/sampled_launch.hpp"
#include "runner/written_bytes.hpp"
#include "simulator/memory_map.hpp"
#include "simulator/model_device.hpp"

namespace runner {

namespace {

// The most that the copies of an output may take on the simulated device; the host has to hold them.
constexpr std::size_t output_limit_bytes = std::size_t{2} << 30;

// Adds what a further launch of the same run has given.
void add(simulator::LaunchResult& all, simulator::LaunchResult next) {
  if (!all.refused) all.refused = std::move(next.refused);
  all.given_up |= next.given_up;
  std::ranges::move(next.hazards, std::back_inserter(all.hazards));
  std::ranges::move(next.notes, std::back_inserter(all.notes));
  all.static_shared_bytes = std::max(all.static_shared_bytes, next.static_shared_bytes);
  all.counters += next.counters;
  for (const auto& [place, counters] : next.places) all.places[place] += counters;
  if (!all.trace) all.trace = std::move(next.trace);
}

// Threads that wait at different barriers go on together. Whether these are one line of the source, of which
// the compiler has made two, only the judge knows.
bool is_between_barriers(const simulator::Hazard& hazard) {
  return hazard.kind == facts::Verdict::divergent_barrier && hazard.sites.size() > 1;
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
    set_launch_device(request.options);
    if (!answer_shape(request, answer)) {
      add_output(answer, problems::Output(variant.result_bytes(request.length)));
      return answer;
    }
    if (request.options.sample) {
      const auto shape = [&](std::size_t length) { return shape_for(length, request, answer); };
      run_sample(exercise_, variant, request, shape, answer);
      return answer;
    }
    const std::optional<LaunchShape> asked = shape_for(request.length, request, answer);
    if (!asked) {
      add_output(answer, problems::Output(variant.result_bytes(request.length)));
      return answer;
    }
    const LaunchShape shape = with_options(*asked, request.options);
    answer.grid = shape.grid;
    answer.block = shape.block;
    answer.asks_multiprocessors = simulator::launch_device.was_asked;
    // CUDA refuses a grid of no blocks, so an empty input is not launched.
    if (request.length == 0 && exercise_.is_launched()) {
      add_result({.counters = simulator::counted_by(configuration_of(request))}, request, answer);
      add_output(answer, empty_output(variant));
      return answer;
    }
    const Exercise exercise = exercise_.made_for(variant);
    const std::optional<Passes> passes = passes_for(shape, request, answer);
    if (!passes) {
      add_output(answer, problems::Output(variant.result_bytes(request.length)));
      return answer;
    }
    if (!passes->fault.empty()) {
      answer.failure = RunFailure{RunFailure::Kind::unending, passes->fault};
      return answer;
    }
    const RunLayouts layouts = layouts_of(exercise_, variant, request, shape);
    simulator::DeviceBuffer data(layouts.input.payload, {.name = exercise.input.name,
                                                         .element_bytes = exercise.input.element_bytes,
                                                         .misalignment = layouts.input.misalignment,
                                                         .read_only = true,
                                                         .gap_bytes = gap_bytes()});
    input.read(0, data.bytes());
    LaunchOutcome outcome;
    outcome.configuration = configuration_of(request);
    outcome.result.counters = simulator::counted_by(outcome.configuration);
    if (answer.stream) answer.stream->launches = passes->all.size();
    for (const Pass& pass : passes->all) {
      const bool first = &pass == passes->all.data();
      std::optional<simulator::DeviceBuffer> output = output_of(exercise, variant, pass, answer);
      if (!output) return answer;
      const bool all_written =
          launch(exercise, variant, request, pass, first, data.bytes(), *output, outcome, answer);
      if (outcome.result.refused) {
        answer.grid = pass.shape.grid;
        answer.block = pass.shape.block;
        answer.failure = RunFailure{RunFailure::Kind::launch_error, *outcome.result.refused};
        return answer;
      }
      if (outcome.result.given_up) {
        answer.failure = RunFailure{RunFailure::Kind::given_up, "the launch takes too many steps"};
        return answer;
      }
      if (first && request.options.parts && all_written && exercise.outputs == Outputs::until_one) {
        const auto parts = output->bytes().first(std::min(output->bytes().size(), most_parts_bytes));
        answer.parts.assign(parts.begin(), parts.end());
      }
      const bool last = &pass == &passes->all.back();
      // What a kernel leaves that does not keep the rules is no input for another launch.
      const bool keeps_rules = std::ranges::all_of(outcome.result.hazards, is_between_barriers) &&
                               answer.observations.empty() && all_written;
      if (last || !keeps_rules) {
        add_result(outcome.result, request, answer);
        if (!last || !all_written) {
          const auto run = static_cast<std::uint64_t>(&pass - passes->all.data()) + 1;
          answer.unfinished = Unfinished{run, passes->all.size()};
        }
        const auto begin = output->bytes().begin();
        add_output(answer,
                   {begin, begin + static_cast<std::ptrdiff_t>(variant.result_bytes(request.length))});
        return answer;
      }
      data = as_input(exercise, *output);
    }
    return answer;
  }

 private:
  static void set_launch_device(const RunOptions& options) {
    simulator::launch_device = {};
    if (options.multiprocessors) simulator::launch_device.multiprocessors = *options.multiprocessors;
    const std::optional<StreamRequest>& asked = options.stream;
    if (!asked) return;
    simulator::launch_device = {.multiprocessors = asked->multiprocessors,
                                .limits = {.threads = asked->threads,
                                           .blocks = asked->blocks,
                                           .shared_bytes = asked->shared_bytes,
                                           .registers = asked->registers,
                                           .schedulers = asked->schedulers}};
    for (const KernelRegisters& kernel : asked->kernels)
      simulator::launch_device.registers.emplace(kernel.name, kernel.registers);
  }

  // The shape of the launch that a stream is asked for, if one is. False if the exercise's function failed.
  bool answer_shape(const RunRequest& request, RunAnswer& answer) const {
    if (!request.options.stream) return true;
    const std::optional<LaunchShape> asked = shape_for(request.options.stream->length, request, answer);
    if (!asked) return false;
    const LaunchShape shape =
        with_options(*asked, {.block = request.options.stream->block, .grid = request.options.stream->grid});
    answer.stream = {.grid = shape.grid, .block = shape.block, .dynamic_shared_bytes = shape.shared_bytes};
    return true;
  }

  static void add_stream(const model::Stream& stream, std::uint64_t shared_bytes, RunAnswer& answer) {
    answer.stream->shared_bytes = shared_bytes;
    answer.stream->common_lines = stream.common_lines;
    answer.stream->common_turns = stream.common_turns;
    answer.stream->busiest_turns = stream.busiest_turns;
    answer.stream->own_pieces = stream.own_pieces;
    answer.stream->entered_blocks = stream.entered_blocks;
    answer.stream->parted_blocks = stream.parted_blocks;
    answer.stream->went_both_ways = stream.went_both_ways;
    answer.stream->accessed_on_both_ways = stream.accessed_on_both_ways;
    answer.stream->made_steps = stream.made_steps;
    answer.stream->steps = model::pack(stream.blocks);
    if (answer.stream->steps.size() > stream_limit_bytes) answer.stream->steps.clear();
  }

  // The exercise's function runs as a thread of the simulator's too, so that it is seen to touch nothing but
  // its own memory. nullopt if it failed.
  std::optional<LaunchShape> shape_for(std::size_t length, const RunRequest& request,
                                       RunAnswer& answer) const {
    if (!exercise_.is_launched()) return LaunchShape{1, 1};
    LaunchShape shape{};
    const ShapeRequest asked{exercise_.launch_shape, length, &shape};
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
    return shape;
  }

  static bool is_refused(const LaunchShape& shape) {
    return shape.block == 0 || shape.block > simulator::ModelDevice::threads_of_block ||
           shape.grid > simulator::ModelDevice::grid_x;
  }

  // nullopt if the exercise's function failed for the length of a further launch.
  std::optional<Passes> passes_for(const LaunchShape& first, const RunRequest& request,
                                   RunAnswer& answer) const {
    if (is_refused(first)) return Passes{{{first, request.length}}, {}};
    bool failed = false;
    Passes passes = passes_of(exercise_, request.length, first, [&](std::size_t length) {
      const std::optional<LaunchShape> shape = failed ? std::nullopt : shape_for(length, request, answer);
      failed = !shape;
      return shape.value_or(LaunchShape{});
    });
    return failed ? std::nullopt : std::optional(std::move(passes));
  }

  std::size_t gap_bytes() const {
    return exercise_.is_launched() ? simulator::array_gap_bytes : simulator::array_gap_bytes_on_host;
  }

  // The output of a launch; nullopt, and a failure in the answer, where it does not fit.
  std::optional<simulator::DeviceBuffer> output_of(const Exercise& exercise, const Variant& variant,
                                                   const Pass& pass, RunAnswer& answer) const {
    const bool refused = is_refused(pass.shape), cleared = exercise.outputs != Outputs::until_one;
    const std::size_t copies =
                          refused || exercise.outputs == Outputs::one ? 1 : std::max(pass.shape.grid, 1u),
                      bytes = copies * variant.result_bytes(pass.length);
    if (bytes > output_limit_bytes) {
      answer.failure = RunFailure{
          RunFailure::Kind::too_large,
          fmt::format("the {} copies of {} take {} MiB; the simulated device has {} MiB for them",
                      pass.shape.grid, exercise.output.name, bytes >> 20, output_limit_bytes >> 20)};
      return std::nullopt;
    }
    simulator::DeviceBuffer output(bytes, {.name = exercise.output.name,
                                           .element_bytes = exercise.output.element_bytes,
                                           .initialised = cleared,
                                           .gap_bytes = gap_bytes()});
    std::ranges::fill(output.bytes(), cleared ? 0 : exercise.input_guard);
    return output;
  }

  // What a launch has left, as the next one's input.
  static simulator::DeviceBuffer as_input(const Exercise& exercise, const simulator::DeviceBuffer& output) {
    simulator::DeviceBuffer data(
        output.bytes().size(),
        {.name = exercise.input.name, .element_bytes = exercise.input.element_bytes, .read_only = true});
    std::ranges::copy(output.bytes(), data.bytes().begin());
    return data;
  }

  // Whether each block has left its value, where it has to; where that cannot be told, true.
  bool launch(const Exercise& exercise, const Variant& variant, const RunRequest& request, const Pass& pass,
              bool first, std::span<const unsigned char> data, const simulator::DeviceBuffer& output,
              LaunchOutcome& outcome, RunAnswer& answer) const {
    // How a kernel goes about its work, and the trace, are those of the first launch.
    const std::unique_ptr<ConductObserver> conduct =
        first ? observer(variant, request, data, output.bytes()) : nullptr;
    std::vector<simulator::Observer*>& observers = outcome.configuration.observers;
    observers.clear();
    if (conduct) observers.push_back(conduct.get());
    std::optional<model::StreamObserver> stream;
    if (first && answer.stream && request.options.stream->steps) observers.push_back(&stream.emplace());
    std::optional<WrittenBytes> written;
    if (exercise.outputs == Outputs::until_one && !request.options.lockstep_seed)
      observers.push_back(&written.emplace(output.bytes()));
    if (!first) outcome.configuration.trace.reset();
    variant.launch(pass.shape, data.data(), pass.length, output.bytes().data(), outcome);
    observers.clear();
    if (stream)
      add_stream(stream->take(), outcome.result.static_shared_bytes + pass.shape.shared_bytes, answer);
    const auto unwritten = written ? written->unwritten(variant.output_bytes) : std::nullopt;
    // These end no thread: what is not written then is written by nobody.
    const bool ran_to_end = std::ranges::all_of(outcome.result.hazards, [](const simulator::Hazard& hazard) {
      return hazard.kind == facts::Verdict::race || is_between_barriers(hazard);
    });
    if (unwritten && !outcome.result.refused && ran_to_end) {
      answer.observations.push_back({facts::Verdict::uninitialised,
                                     fmt::format("no thread writes {}[{}]; {} of {} {} are left as they were",
                                                 exercise.output.name, unwritten->first, unwritten->elements,
                                                 values_left_by(pass.shape), exercise.output.elements)});
    }
    if (conduct) answer.conduct = conduct->counted();
    return !unwritten;
  }

  static simulator::LaunchConfiguration configuration_of(const RunRequest& request) {
    simulator::LaunchConfiguration configuration;
    configuration.places = request.options.places;
    configuration.trace = request.options.trace;
    configuration.lockstep_seed = request.options.lockstep_seed;
    configuration.checks = configuration.counters = !request.options.stream || !request.options.stream->steps;
    configuration.wide_accesses = request.options.notes_wide_accesses;
    configuration.values = request.options.conduct_of_values;
    configuration.deals_draws =
        request.options.deals_draws || (request.options.stream && request.options.stream->deals_draws);
    configuration.lockstep_turns = request.options.lockstep_turns;
    configuration.lockstep_order = request.options.lockstep_order;
    configuration.absent_lanes_echo = request.options.absent_lanes_echo;
    if (request.end_after_ms) configuration.time_limit = std::chrono::milliseconds(*request.end_after_ms);
    return configuration;
  }

  std::unique_ptr<ConductObserver> observer(const Variant& variant, const RunRequest& request,
                                            std::span<const unsigned char> input,
                                            std::span<const unsigned char> output) const {
    if (!request.conduct || !exercise_.observe) return nullptr;
    const bool each_block_has_one = exercise_.outputs == Outputs::until_one;
    return std::unique_ptr<ConductObserver>(exercise_.observe(
        {input.data(), input.size()},
        {output.data(), each_block_has_one ? output.size() : variant.result_bytes(request.length)}));
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
