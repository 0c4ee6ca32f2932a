// SPDX-License-Identifier: MIT
#include "measure/sweep.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "judge/check.hpp"
#include "measure/contest.hpp"
#include "measure/counted.hpp"
#include "measure/gpu_device.hpp"
#include "measure/run.hpp"

namespace measure {

namespace {

using Values = std::vector<std::uint64_t>;
using InputPtr = std::unique_ptr<problems::Input>;

// The block size that grids and coarsening are swept with: what the reference solutions use.
constexpr unsigned usual_block = 256;

// Where a sweep over the length begins.
constexpr std::uint64_t shortest_swept = 1024;

Values powers(std::uint64_t from, std::uint64_t to, std::uint64_t factor = 2) {
  Values values;
  for (std::uint64_t value = from; value <= to; value *= factor) values.push_back(value);
  return values;
}

const problems::Reference& reference_of(const Record& asked) {
  return problems::reference_of(asked.exercise.problem);
}

Values blocks(const Record&, const SweepOptions&) { return powers(32, 1024); }

Values grids(const Record&, const SweepOptions& options) {
  Values values = powers(1, 64);
  for (std::uint64_t& value : values) value *= options.multiprocessors;
  return values;
}

Values lengths(const Record& asked, const SweepOptions&) { return powers(shortest_swept, asked.length, 4); }

Values contention_levels(const Record& asked, const SweepOptions&) {
  return reference_of(asked).contention_levels(asked.variant);
}

Values bytes_per_thread(const Record&, const SweepOptions&) { return powers(2, 1024); }

SweepKind::Launch own_launch(std::uint64_t, const Record&) { return {}; }

SweepKind::Launch of_block(std::uint64_t value, const Record&) {
  return {static_cast<unsigned>(value), std::nullopt};
}

SweepKind::Launch of_grid(std::uint64_t value, const Record&) {
  return {usual_block, static_cast<unsigned>(value)};
}

SweepKind::Launch of_bytes_per_thread(std::uint64_t value, const Record& asked) {
  const std::uint64_t each = usual_block * value;
  return {usual_block, static_cast<unsigned>(std::max<std::uint64_t>((asked.length + each - 1) / each, 1))};
}

InputPtr of_length(std::uint64_t value, const Record&, const SweepOptions& options) {
  return options.make_input(value);
}

InputPtr of_contention(std::uint64_t level, const Record& asked, const SweepOptions&) {
  return reference_of(asked).contended_input(asked.variant, level, asked.length, asked.seed.value_or(1));
}

std::string name_of_contention(std::uint64_t level, const Record& asked) {
  return reference_of(asked).contention_text(level);
}

constexpr std::array<SweepKind, 5> kinds{
    {{"block", "threads per block", false, 1, blocks, of_block, nullptr, nullptr},
     {"grid", "blocks", true, 1, grids, of_grid, nullptr, nullptr},
     {"length", {}, false, shortest_swept, lengths, own_launch, of_length, nullptr},
     {"contention",
      {},
      false,
      1,
      contention_levels,
      own_launch,
      of_contention,
      name_of_contention,
      // without shared atomics there are none to take
      {"turns per shared atomic of a warp", "shared_atomic_wavefronts", "shared_atomic_requests"}},
     {"coarsening", "bytes per thread", true, 1, bytes_per_thread, of_bytes_per_thread, nullptr, nullptr}}};

std::vector<Record> measured(const workbook::Workbook& workbook, const std::vector<Contender>& contenders,
                             const problems::Input& input, const Record& asked,
                             const std::function<void(double)>& progress) {
  if (traits_of(asked.backend).timed) {
    ContestOptions how{.reference = &reference_of(asked),
                       .variant = asked.variant,
                       .highest_clock_mhz = highest_clock_mhz(gpu_device(workbook))};
    how.progress = progress;
    return contest(contenders, input, how);
  }
  std::vector<Record> records;
  for (const Contender& contender : contenders) {
    progress(static_cast<double>(records.size()) / static_cast<double>(contenders.size()));
    records.push_back(
        run(contender.settings, input, contender.asked, {.block = contender.block, .grid = contender.grid}));
  }
  return records;
}

// All that a sweep keeps the same: what is swept takes no part.
auto setting_of(const Record& record) {
  const SweepKind kind = kind_of(record);
  return std::tuple(record.sweep->name, record.backend, record.tree, record.variant,
                    kind.varies_input() ? std::string() : record.input,
                    kind.varies_length() ? std::uint64_t{0} : record.length, record.warm_cache);
}

bool is_shown(const Record& record) {
  if (record.kind != "sweep" || !record.sweep || !record.passed() || record.length == 0) return false;
  return traits_of(record.backend).timed ? record.time_ms.has_value() : counted(record) || record.estimate;
}

// A point that comes a second time is of the next run, and the run before is forgotten.
void add(Curve& curve, const Record& record) {
  const auto is_same = [&](const Record& point) { return point.sweep->value == record.sweep->value; };
  if (std::ranges::any_of(curve.points, is_same)) curve.points.clear();
  curve.points.push_back(record);
}

}  // namespace

std::span<const SweepKind> sweep_kinds() { return kinds; }

const SweepKind* find_sweep(std::string_view name) {
  const auto found = std::ranges::find(kinds, name, &SweepKind::name);
  return found == kinds.end() ? nullptr : &*found;
}

SweepKind kind_of(const Record& point) {
  const SweepKind* const known = find_sweep(point.sweep->name);
  return known ? *known : SweepKind{.name = point.sweep->name, .unit = point.sweep->name};
}

namespace {

problems::TourFigure counted_figure(const Record& point) {
  const SweepKind kind = kind_of(point);
  if (!kind.counted.counter.empty()) return kind.counted;
  const problems::CountedPlot plot = problems::reference_of(point.exercise.problem).sweep_plot();
  return {plot.title, plot.figures.front().counter, plot.figures.front().over};
}

}  // namespace

std::optional<double> counted(const Record& point) { return value_of(counted_figure(point), point); }

std::string_view counted_unit(const Record& point) { return counted_figure(point).title; }

std::string_view unit_of(const SweepKind& kind, const workbook::ExerciseInfo& exercise) {
  if (!kind.unit.empty()) return kind.unit;
  const problems::Reference& reference = problems::reference_of(exercise.problem);
  return kind.varies_length() ? reference.problem().elements() : reference.contention_unit();
}

bool applies(const SweepKind& kind, const workbook::ExerciseInfo& exercise) {
  return std::ranges::find(exercise.sweeps, kind.name) != exercise.sweeps.end();
}

std::vector<Record> measured_sweep(const workbook::Workbook& workbook, const SweepKind& kind, Record asked,
                                   const SweepOptions& options) {
  const Values values = kind.values(asked, options);
  asked.tree = name_of(options.tree);
  const judge::RunnerSettings settings =
      judge::runner_settings(workbook.target(asked.exercise, options.tree, asked.backend));
  std::vector<Record> points;
  const std::size_t at_a_time = kind.input ? 1 : values.size();
  for (std::size_t begin = 0; begin < values.size(); begin += at_a_time) {
    // Of the whole sweep, from that of those which run now.
    const auto progress = [&](double fraction) {
      const double done = static_cast<double>(begin) + fraction * static_cast<double>(at_a_time);
      if (options.progress) options.progress(done / static_cast<double>(values.size()));
    };
    progress(0);
    const InputPtr input =
        kind.input ? kind.input(values[begin], asked, options) : options.make_input(asked.length);
    std::vector<Contender> contenders;
    for (std::size_t i = begin; i < begin + at_a_time; ++i) {
      const auto [block, grid] = kind.launch(values[i], asked);
      contenders.push_back({settings, block, grid, true, asked});
      Record& point = contenders.back().asked;
      point.sweep = Swept{std::string(kind.name), values[i]};
      if (kind.input_name) point.input = kind.input_name(values[i], asked);
    }
    for (Record& point : measured(workbook, contenders, *input, asked, progress))
      points.push_back(std::move(point));
  }
  return points;
}

std::vector<Sweep> sweeps(const std::vector<Record>& records) {
  std::vector<Sweep> found;
  for (const Record& record : records) {
    if (!is_shown(record)) continue;
    auto sweep = std::ranges::find_if(
        found, [&](const Sweep& other) { return setting_of(other.first()) == setting_of(record); });
    if (sweep == found.end()) sweep = found.insert(found.end(), Sweep{{}, traits_of(record.backend).timed});
    auto curve = std::ranges::find_if(sweep->curves, [&](const Curve& other) {
      return other.points.front().exercise.is_same(record.exercise);
    });
    if (curve == sweep->curves.end()) curve = sweep->curves.insert(sweep->curves.end(), Curve{});
    add(*curve, record);
  }
  const auto is_zero = [](const Record& point) { return counted(point).value_or(0) == 0 && !point.estimate; };
  std::erase_if(found, [&](const Sweep& sweep) {
    return !sweep.timed && std::ranges::all_of(sweep.curves, [&](const Curve& curve) {
      return std::ranges::all_of(curve.points, is_zero);
    });
  });
  const auto value = [](const Record& point) { return point.sweep->value; };
  for (Sweep& sweep : found) {
    for (Curve& curve : sweep.curves) std::ranges::sort(curve.points, {}, value);
  }
  return found;
}

}  // namespace measure
