// SPDX-License-Identifier: MIT
#include "grade/speed.hpp"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "facts/errors.hpp"
#include "facts/words.hpp"
#include "judge/build.hpp"
#include "judge/check.hpp"
#include "measure/contest.hpp"
#include "measure/gpu_device.hpp"

namespace grade {

namespace {

using Json = nlohmann::ordered_json;
using facts::Backend;

constexpr std::uint64_t elements = std::uint64_t{64} << 20;

// Fewer samples than a benchmark has: a class has hundreds of kernels.
// For all samples of a kernel and what the solution takes in turn.
constexpr std::chrono::seconds longest{20};
constexpr measure::StopRule rule{.most = 40, .budget = std::chrono::milliseconds(500), .fewest = 3};

}  // namespace

void require_speed(const workbook::Workbook& workbook) {
  const std::string what =
      "points.txt gives points for speed, which is measured on a GPU beside the solutions: ";
  const std::string next = "; for grades without it: speed=0, and its points to the other parts";
  if (!workbook.has_solutions) throw facts::UsageError(what + "this tree has no solutions" + next);
  if (const auto missing = judge::missing_backend(workbook, Backend::gpu))
    throw facts::MachineError(what + missing->message + next);
  if (const measure::GpuDevice& gpu = measure::gpu_device(workbook); !gpu.works)
    throw facts::MachineError(what + gpu.why_not + next);
}

void build_solutions(const std::vector<workbook::ExerciseInfo>& exercises) {
  const workbook::Workbook& workbook = workbook::here();
  for (const workbook::ExerciseInfo& exercise : exercises) {
    if (!exercise.launched) continue;
    const auto target = workbook.target(exercise, workbook::Tree::solution, Backend::gpu);
    if (const auto finding = judge::build_runner(workbook, target))
      throw facts::MachineError(
          fmt::format("cannot build the solution of {}: {}", target.name, finding->message));
  }
}

Json no_speed(const std::string& message) { return {{"share", 0.0}, {"message", message}}; }

Json measured_speed(const workbook::ExerciseInfo& exercise, judge::RunnerSettings submitted,
                    std::uint64_t seed) {
  const workbook::Workbook& workbook = workbook::here();
  const problems::Reference& reference = problems::reference_of(exercise.problem);
  const problems::Problem& problem = reference.problem();
  const std::string variant(problem.variants().front().name), input(problem.usual_input());
  const measure::GpuDevice& gpu = measure::gpu_device(workbook);
  const measure::Record asked{.exercise = exercise, .backend = Backend::gpu};
  judge::TimeLimit time(longest);
  time.begin();
  submitted.whole = time;
  const auto records = measure::contest(
      {{.settings = submitted, .asked = asked},
       {.settings = judge::runner_settings(workbook.target(exercise, workbook::Tree::solution, Backend::gpu)),
        .asked = asked}},
      *problem.make_input(input, variant, elements, seed),
      {.reference = &reference,
       .variant = variant,
       .rule = rule,
       .highest_clock_mhz = highest_clock_mhz(gpu)});
  const measure::Record &student = records.front(), &solution = records.back();
  if (!solution.is_timed())
    throw facts::MachineError(fmt::format("the solution of {} has no time on this GPU: {}",
                                          workbook.short_name(exercise), solution.finding.message));
  if (!student.is_timed())
    return no_speed(time.is_over() ? fmt::format("{} seconds were not enough for it", longest.count())
                                   : student.finding.message);
  const double ms = student.time_ms->median, of_solution = solution.time_ms->median;
  // Times whose quartiles overlap are the same.
  const bool is_slower = measure::is_faster(*solution.time_ms, *student.time_ms);
  return {{"share", is_slower ? std::round(100 * of_solution / ms) / 100 : 1.0},
          {"ms", ms},
          {"solution_ms", of_solution},
          {"gpu", gpu.properties.at("name")},
          {std::string(problem.variant_option()), variant},
          {"input", input},
          {"length", elements},
          {"elements", problem.elements()}};
}

std::string speed_text(const Json& exercise) {
  const auto speed = exercise.find("speed");
  if (speed == exercise.end()) return {};
  const double share = speed->at("share");
  if (!speed->contains("ms"))
    return "Speed: there is no time of this kernel on the GPU: " + speed->at("message").get<std::string>();
  return fmt::format("Speed: {:.3g} ms for {} {} of {} on an {}, the solution {:.3g} ms: {}.",
                     speed->at("ms").get<double>(),
                     facts::separated(speed->at("length").get<std::uint64_t>()),
                     speed->at("elements").get<std::string>(), speed->at("input").get<std::string>(),
                     speed->at("gpu").get<std::string>(), speed->at("solution_ms").get<double>(),
                     share < 1 ? fmt::format("{:.0f} % of its speed", 100 * share) : "no slower");
}

}  // namespace grade
