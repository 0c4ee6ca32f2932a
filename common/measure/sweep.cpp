// SPDX-License-Identifier: MIT
#include "measure/sweep.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "judge/check.hpp"
#include "measure/gpu_device.hpp"
#include "measure/run.hpp"
#include "problems/histogram/binnings.hpp"

namespace measure {

namespace {

struct KindInfo {
  SweepKind kind;
  std::string_view name, unit;
};

constexpr std::array<KindInfo, 5> kinds{{{SweepKind::block, "block", "threads a block"},
                                         {SweepKind::grid, "grid", "blocks"},
                                         {SweepKind::length, "length", "bytes"},
                                         {SweepKind::contention, "contention", "bins in use"},
                                         {SweepKind::coarsening, "coarsening", "bytes a thread"}}};

// The block size that grids and coarsening are swept with: what the reference solutions use.
constexpr unsigned usual_block = 256;

std::vector<std::uint64_t> powers(std::uint64_t from, std::uint64_t to, std::uint64_t factor = 2) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t value = from; value <= to; value *= factor) values.push_back(value);
  return values;
}

std::vector<std::uint64_t> values_of(SweepKind kind, const problems::Reference& reference,
 const SweepOptions& options) {
  switch (kind) {
    case SweepKind::block:
      return powers(32, 1024);
    case SweepKind::grid: {
      std::vector<std::uint64_t> values;
      for (const std::uint64_t each : powers(1, 64)) values.push_back(each * options.multiprocessors);
      return values;
    }
    case SweepKind::length:
      return powers(shortest_swept, options.length, 4);
    case SweepKind::contention:
      return reference.contention_levels(options.binning);
    default:
      return powers(2, 1024);
  }
}

std::unique_ptr<problems::Input> input_of(SweepKind kind, const problems::Reference& reference, std::uint64_t value, const SweepOptions& options) {
  if (kind == SweepKind::length) return options.make_input(value);
  if (kind != SweepKind::contention) return options.make_input(options.length);
  return reference.contended_input(options.binning, value, options.length, options.seed);
}

// The launch in place of the exercise's own.
std::pair<std::optional<unsigned>, std::optional<unsigned>> launch_of(SweepKind kind, std::uint64_t value,
                                                                      const SweepOptions& options) {
  const auto number = static_cast<unsigned>(value);
  switch (kind) {
    case SweepKind::block:
      return {number, std::nullopt};
    case SweepKind::grid:
      return {usual_block, number};
    case SweepKind::coarsening:
      return {usual_block, static_cast<unsigned>(std::max<std::uint64_t>(
                               (options.length + usual_block * value - 1) / (usual_block * value), 1))};
    default:
      return {};
  }
}

std::vector<RunReport> measured(const workbook::Workbook& workbook, const problems::Reference& reference,
                                const std::vector<Contender>& contenders, const problems::Input& input, const SweepOptions& options,
                                const std::function<void(double)>& progress) {
  if (options.backend != facts::Backend::sim) {
    ContestOptions how{.reference = &reference, .binning = options.binning,
                       .highest_clock_mhz = highest_clock_mhz(gpu_device(workbook))};
    how.progress = progress;
    return contest(contenders, input, how);
  }
  std::vector<RunReport> reports;
  for (const Contender& contender : contenders) {
    progress(static_cast<double>(reports.size()) / static_cast<double>(contenders.size()));
    reports.push_back(run(contender.settings, input,
                          {.backend = options.backend,
                           .reference = &reference,
                           .binning = options.binning,
                           .block = contender.block,
                           .grid = contender.grid}));
  }
  return reports;
}

}  // namespace

std::string_view name_of(SweepKind kind) { return kinds[static_cast<std::size_t>(kind)].name; }

std::string_view unit_of(SweepKind kind) { return kinds[static_cast<std::size_t>(kind)].unit; }

std::optional<SweepKind> find_sweep(std::string_view name) {
  for (const KindInfo& info : kinds) {
    if (info.name == name) return info.kind;
  }
  return std::nullopt;
}

bool applies(SweepKind kind, const workbook::ExerciseInfo& exercise) {
  return std::find(exercise.sweeps.begin(), exercise.sweeps.end(), name_of(kind)) != exercise.sweeps.end();
}

std::vector<SweepPoint> sweep(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                              SweepKind kind, const SweepOptions& options) {
  const problems::Reference& reference = problems::reference_of(exercise.problem);
  const std::vector<std::uint64_t> values = values_of(kind, reference, options);
  const judge::RunnerSettings settings =
      judge::runner_settings(workbook.runner(exercise, options.tree, options.backend), options.backend);
  std::vector<SweepPoint> points;
  const bool one_input = kind != SweepKind::length && kind != SweepKind::contention;
  const std::size_t at_a_time = one_input ? values.size() : 1;
  for (std::size_t begin = 0; begin < values.size(); begin += at_a_time) {
    // Of the whole sweep, from that of those which run now.
    const auto progress = [&](double fraction) {
      const double done = static_cast<double>(begin) + fraction * static_cast<double>(at_a_time);
      if (options.progress) options.progress(done / static_cast<double>(values.size()));
    };
    progress(0);
    const std::unique_ptr<problems::Input> input = input_of(kind, reference, values[begin], options);
    std::vector<Contender> contenders;
    for (std::size_t i = begin; i < begin + at_a_time; ++i) {
      const auto [block, grid] = launch_of(kind, values[i], options);
      contenders.push_back({settings, block, grid});
    }
    std::vector<RunReport> reports = measured(workbook, reference, contenders, *input, options, progress);
    const std::string name = kind == SweepKind::contention
                                 ? reference.contention_text(values[begin])
                                 : options.input_name;
    for (std::size_t i = 0; i < reports.size(); ++i)
      points.push_back({values[begin + i], name, input->length(), std::move(reports[i])});
  }
  return points;
}

}  // namespace measure
