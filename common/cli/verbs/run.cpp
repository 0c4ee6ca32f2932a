// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "cli/command_line.hpp"
#include "cli/measured.hpp"
#include "cli/messages.hpp"
#include "cli/progress.hpp"
#include "cli/verbs/verbs.hpp"
#include "facts/errors.hpp"
#include "os/files.hpp"
#include "report/numbers.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

namespace {

struct RunOptions : LaunchOptions {
  std::optional<std::string> trace;         // the file
  std::optional<std::string> trace_blocks;  // of its kind "0,3-5"
  bool lockstep = false;
};

void print(const measure::Record& record) {
  const report::Terminal terminal = report::Terminal::of_output();
  const workbook::Workbook& workbook = workbook::here();
  fmt::print("{}\n", run_text(record));
  if (!record.result.empty()) {
    const problems::Reference& reference = problems::reference_of(record.exercise.problem);
    fmt::print("\n{}\n", report::bars(reference.bars(record.variant, record.result), reference.bar_word(),
                                      terminal.columns));
  }
  fmt::print("{}", launch_text(record));
  if (record.time_ms) {
    fmt::print(
        "{:.4g} ms, quartiles {:.4g} to {:.4g}, {} samples; {:.4g} GB/s (zeroing the histogram not "
        "counted)\n",
        record.time_ms->median, record.time_ms->q1, record.time_ms->q3, record.time_ms->samples,
        throughput_gb_s(record));
    fmt::print("{}", clock_text(record));
  } else if (traits_of(record.backend).simulated && record.launches > 0) {
    fmt::print("not timed: the simulator counts, it does not run at a GPU's speed\n");
  }
  for (const auto& [name, value] : record.counters) {
    if (value > 0) fmt::print("  {:<25} {:>15}\n", name, report::with_separators(value));
  }
  if (!record.output.empty() && record.finding.message.find(record.output) == std::string::npos)
    fmt::print("{}\n", record.output);
  if (record.passed()) {
    fmt::print("{}: equal to the CPU's count\n", verdict_text(record.finding.verdict, terminal));
  } else {
    fmt::print("{}", finding_text(workbook, record.exercise, record.finding, terminal));
  }
  fmt::print("{}", notes_text(workbook, record.notes));
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
  if (traits_of(backend).simulated) return backend;
  throw facts::UsageError(fmt::format(
      "--{} works on the simulator alone; {}", options.trace ? "trace" : "lockstep",
      exercise.launched ? "--on sim chooses it"
                        : fmt::format("lab {} launches no kernel", workbook::here().short_name(exercise))));
}

// Nothing if the run gave no trace.
std::optional<TraceReport> write_trace(const std::string& file, const measure::Record& record,
                                       workbook::Tree tree, const facts::TraceRequest& blocks) {
  if (!record.trace) return std::nullopt;
  os::write_file(file, trace_lines(workbook::here(), record, tree, blocks));
  return TraceReport{file, record.trace->events.size(), record.trace->truncated};
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
void remember_time(const RunOptions& options, const measure::Record& record) {
  const RunOptions usual{};
  const bool comparable = options.input == usual.input && options.variant == usual.variant &&
                          !options.length && !options.block && !options.grid && !options.seed;
  if (options.solution || !comparable || !record.is_timed()) return;
  const workbook::Workbook& workbook = workbook::here();
  if (state_of(workbook, record.exercise, Progress::load(workbook).of(record.exercise)) != State::passed)
    return;
  Progress::change(workbook, record.exercise, [&](ExerciseProgress& entry) {
    entry.consider({record.time_ms->median, std::string(name_of(record.backend)), record.input,
                    record.variant, record.length});
  });
}

int run(const RunOptions& options) {
  const workbook::ExerciseInfo exercise = find_exercise(options.lab);
  const problems::Problem& problem = *problems::find_problem(exercise.problem);
  require_variant(problem, options.variant);
  const facts::Backend backend = backend_for(options, exercise);
  // A CPU counts as much as the backend that it is compared with.
  const std::uint64_t usual =
      default_length(backend == facts::Backend::cpu && present_backends() != std::vector{facts::Backend::sim}
                         ? facts::Backend::gpu
                         : backend);
  const std::uint64_t seed = options.seed.value_or(1);
  const ChosenInput chosen =
      choose_input(problem, options.variant, options.input, options.length, usual, seed);
  measure::Record record{.kind = "run",
                         .seed = seed,
                         .exercise = exercise,
                         .backend = backend,
                         .variant = options.variant,
                         .input = chosen.name,
                         .length = chosen.input->length()};
  runner::RunOptions how;
  how.block = launch_number(options.block);
  how.grid = launch_number(options.grid);
  if (options.trace) {
    how.trace = traced_blocks(options.trace_blocks.value_or("0"));
    os::require_writable(*options.trace);
  }
  if (options.lockstep) how.lockstep_seed = seed;
  const workbook::Tree tree = choose_tree(options.solution);
  record = measured_run(std::move(record), tree, *chosen.input, how);
  // What runs access by access is no measurement.
  if (!options.lockstep) keep_record(record);
  remember_time(options, record);
  RunExtras extras{.traced = options.trace.has_value()};
  if (extras.traced) extras.trace = write_trace(*options.trace, record, tree, *how.trace);
  if (options.lockstep) extras.lockstep = lockstep_report(seed, record);
  if (options.json) {
    fmt::print("{}\n", run_json(workbook::here(), record, extras));
  } else {
    print(record);
    print(extras);
  }
  return exit_code_of(record.finding);
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
