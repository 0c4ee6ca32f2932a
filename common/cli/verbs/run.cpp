// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "cli/command_line.hpp"
#include "cli/measured.hpp"
#include "cli/messages.hpp"
#include "cli/progress.hpp"
#include "cli/recorded.hpp"
#include "cli/selection.hpp"
#include "cli/verbs/trace_file.hpp"
#include "facts/errors.hpp"
#include "os/files.hpp"
#include "report/terminal/bars.hpp"

namespace cli {

namespace {

struct RunOptions : LaunchOptions {
  std::optional<std::string> trace;         // the file
  std::optional<std::string> trace_blocks;  // of its kind "0,3-5"
  bool lockstep = false;
};

void print(const RunDescription& description, const measure::RunReport& report) {
  const report::Terminal terminal = report::Terminal::of_output();
  const workbook::Workbook& workbook = workbook::here();
  fmt::print("{}\n", run_text(description));
  if (!report.result.empty()) {
    const problems::Reference& reference = problems::reference_of(description.exercise.problem);
    fmt::print("\n{}\n", report::bars(reference.bars(description.binning, report.result),
                                      reference.bar_word(), terminal.columns));
  }
  fmt::print("{}", launch_text(description, report));
  if (report.time_ms) {
    fmt::print(
        "{:.4g} ms, quartiles {:.4g} to {:.4g}, {} samples; {:.4g} GB/s (zeroing the histogram not "
        "counted)\n",
        report.time_ms->median, report.time_ms->q1, report.time_ms->q3, report.time_ms->samples,
        report.throughput_gb_s);
    fmt::print("{}", clock_text(report));
  } else if (description.backend == facts::Backend::sim && report.launches > 0) {
    fmt::print("not timed: the simulator counts, it does not run at a GPU's speed\n");
  }
  for (const auto& [name, value] : report.counters) {
    if (value > 0) fmt::print("  {:<25} {:>15}\n", name, report::with_separators(value));
  }
  if (!report.output.empty() && report.finding.message.find(report.output) == std::string::npos)
    fmt::print("{}\n", report.output);
  if (report.finding.verdict == facts::Verdict::pass) {
    fmt::print("{}: equal to the CPU's count\n", verdict_text(report.finding.verdict, terminal));
  } else {
    fmt::print("{}", finding_text(workbook, description.exercise, report.finding, terminal));
  }
  fmt::print("{}", notes_text(workbook, report.notes));
}

// What only the simulator does chooses it.
facts::Backend backend_for(const RunOptions& options, const workbook::ExerciseInfo& exercise) {
  if (options.trace_blocks && !options.trace)
    throw facts::UsageError("--trace-blocks chooses blocks for --trace FILE, which is not given");
  if (options.trace && options.lockstep)
    throw facts::UsageError(
        "--trace and --lockstep exclude each other: lanes of a warp go their own ways in lockstep");
  if (!options.trace && !options.lockstep) return choose_backend(options.on, exercise);
  const facts::Backend backend = choose_backend(options.on.empty() ? "sim" : options.on, exercise);
  if (backend == facts::Backend::sim) return backend;
  throw facts::UsageError(fmt::format(
      "--{} works on the simulator alone; {}", options.trace ? "trace" : "lockstep",
      exercise.launched ? "--on sim chooses it"
                        : fmt::format("lab {} launches no kernel", workbook::here().short_name(exercise))));
}

// Nothing if the run gave no trace.
std::optional<TraceReport> write_trace(const std::string& file, const TraceDescription& description,
                                       const measure::RunReport& report) {
  if (!report.trace) return std::nullopt;
  os::write_file(file, trace_lines(workbook::here(), description, *report.trace));
  return TraceReport{file, report.trace->events.size(), report.trace->truncated};
}

void print(const RunExtras& extras) {
  if (const auto& lockstep = extras.lockstep) {
    fmt::print("{}\n", lockstep_text(*lockstep));
  }
  if (const auto& trace = extras.trace) {
    fmt::print("trace: {} events{} in {}\n", report::with_separators(trace->events),
               trace->truncated ? ", cut off where no more fit," : "", trace->file);
  } else if (extras.traced) {
    fmt::print("no trace: the kernel did not run to its end\n");
  }
}

// The time of a file that has passed, on what every file is timed on where the user asks for nothing else.
void remember_time(const RunOptions& options, const RunDescription& description,
                   const measure::RunReport& report) {
  const RunOptions usual{};
  const bool comparable = options.input == usual.input && options.binning == usual.binning &&
                          !options.length && !options.block && !options.grid && !options.seed;
  if (options.solution || !comparable || !report.time_ms || report.finding.verdict != facts::Verdict::pass)
    return;
  const workbook::Workbook& workbook = workbook::here();
  if (state_of(workbook, description.exercise, Progress::load(workbook).of(description.exercise)) !=
      State::passed)
    return;
  Progress::change(workbook, description.exercise, [&](ExerciseProgress& entry) {
    entry.consider({report.time_ms->median, std::string(name_of(description.backend)), description.input,
                    description.binning, description.length});
  });
}

int run(const RunOptions& options) {
  const workbook::ExerciseInfo exercise = find_exercise(options.lab);
  const problems::Problem& problem = *problems::find_problem(exercise.problem);
  require_variant(problem, options.binning);
  const facts::Backend backend = backend_for(options, exercise);
  // A CPU counts as much as the backend that it is compared with.
  const std::uint64_t usual =
      default_length(backend == facts::Backend::cpu && present_backends() != std::vector{facts::Backend::sim}
                         ? facts::Backend::gpu
                         : backend);
  const std::uint64_t seed = options.seed.value_or(1);
  const ChosenInput chosen =
      choose_input(problem, options.binning, options.input, options.length, usual, seed);
  const RunDescription description{exercise, backend, options.binning, chosen.name, chosen.input->length()};
  measure::RunOptions how;
  how.block = launch_number(options.block);
  how.grid = launch_number(options.grid);
  if (options.trace) {
    how.trace = traced_blocks(options.trace_blocks.value_or("0"));
    os::require_writable(*options.trace);
  }
  if (options.lockstep) how.lockstep_seed = seed;
  const workbook::Tree tree = choose_tree(options.solution);
  const measure::RunReport report = measured_run(description, tree, *chosen.input, how);
  // What runs access by access is no measurement.
  if (!options.lockstep)
    keep_record({.kind = "run", .tree = std::string(name_of(tree)), .seed = seed}, description, report);
  remember_time(options, description, report);
  RunExtras extras{.traced = options.trace.has_value()};
  if (extras.traced)
    extras.trace =
        write_trace(*options.trace, {description, tree, seed, report.grid, report.block, *how.trace}, report);
  if (options.lockstep) extras.lockstep = lockstep_report(seed, description, report);
  if (options.json) {
    fmt::print("{}\n", run_json(workbook::here(), description, report, extras));
  } else {
    print(description, report);
    print(extras);
  }
  return exit_code_of(report.finding);
}

}  // namespace

void add_run(CommandLine& line) {
  auto [verb, options] =
      line.add<RunOptions>("run", "the histogram of an input, with time and counters", run);
  add_launch_options(verb, options);
  verb.add_option("--trace", options.trace,
                  "on the simulator: a file for what the warps did, instruction by instruction");
  verb.add_option("--trace-blocks", options.trace_blocks,
                  "which blocks are traced, such as 0,3-5; without it, block 0");
  verb.add_flag(
      "--lockstep", options.lockstep,
      "on the simulator: access by access, in an order drawn from the seed, so that races lose updates");
}

}  // namespace cli
