// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/measured.hpp"
#include "cli/messages.hpp"
#include "cli/progress.hpp"
#include "cli/speech.hpp"
#include "cli/verbs/verbs.hpp"
#include "facts/errors.hpp"
#include "facts/words.hpp"
#include "judge/check.hpp"
#include "os/files.hpp"
#include "report/numbers.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

namespace {

struct RunOptions : LaunchOptions {
  std::optional<std::string> trace;         // the file
  std::optional<std::string> trace_blocks;  // of its kind "0,3-5"
  bool trace_values = false;
  bool lockstep = false;
  bool yes = false;  // a long run goes on without a question
};

// "no result: 1 of 2 launches ran", and what is shown instead.
std::string unfinished_text(const runner::Unfinished& run, bool has_bars) {
  return fmt::format("no result: {}{}",
                     run.launches_run < run.launches
                         ? fmt::format("{} of {} launches ran", run.launches_run, run.launches)
                         : "the last launch left none",
                     has_bars ? "; the bars are what the blocks of the first left" : "");
}

void print(const measure::Record& record, workbook::Tree tree) {
  const report::Terminal terminal = report::Terminal::of_output();
  const workbook::Workbook& workbook = workbook::here();
  say("{}\n", run_text(record));
  say("{}", shown_result(record, terminal.columns));
  say("{}", launch_text(record));
  if (record.time_ms) {
    say("{:.4g} ms, quartiles {:.4g} to {:.4g}, {} samples; {:.4g} GB/s ({})\n", record.time_ms->median,
        record.time_ms->q1, record.time_ms->q3, record.time_ms->samples, throughput_gb_s(record),
        measure::problem_of(record).time_words());
    say("{}", clock_text(record));
  } else if (traits_of(record.backend).simulated && record.launches > 0) {
    say("not timed: the simulator counts, it does not run at a GPU's speed\n");
  }
  for (const auto& [name, value] : record.counters) {
    if (value > 0) say("  {:<25} {:>15}\n", name, facts::separated(value));
  }
  for (const auto& [name, value] : facts::derived(record.counters))
    say("  {:<25} {:>15}\n", name, facts::derived_text(value));
  if (!record.output.empty() && record.finding.message.find(record.output) == std::string::npos)
    say("{}\n", record.output);
  const auto untouched = judge::not_started(workbook, workbook.target(record.exercise, tree, record.backend));
  if (record.passed()) {
    say("{}: {}\n", verdict_text(record.finding.verdict, terminal),
        problems::reference_of(record.exercise.problem)
            .agreement(record.variant, record.expected, record.result));
  } else if (untouched) {
    // What a file does that nobody has written yet is no mistake.
    say("{}", finding_text(workbook, record.exercise, *untouched, terminal));
  } else {
    say("{}", finding_text(workbook, record.exercise, record.finding, terminal));
  }
  say("{}", notes_text(workbook, record.notes));
}

// What only the simulator does chooses it.
facts::Backend backend_for(const RunOptions& options, const workbook::ExerciseInfo& exercise) {
  if (options.trace_blocks && !options.trace)
    throw facts::UsageError("--trace-blocks chooses blocks for --trace FILE, which is not given");
  if (options.trace_values && !options.trace)
    throw facts::UsageError("--trace-values adds to what --trace FILE writes, which is not given");
  if (!options.trace && !options.lockstep) return choose_backend(options.on, exercise);
  const facts::Backend backend =
      choose_backend(options.on.empty() ? std::string(name_of(facts::simulator)) : options.on, exercise);
  if (traits_of(backend).simulated) return backend;
  throw facts::UsageError(fmt::format(
      "--{} works on the simulator alone; {}", options.trace ? "trace" : "lockstep",
      exercise.launched ? "--on sim chooses it"
                        : fmt::format("lab {} launches no kernel", workbook::here().short_name(exercise))));
}

// What the run was asked for besides its result.
void print_extras(const RunOptions& options, const measure::Record& record,
                  const std::optional<problems::LostUpdates>& lost) {
  if (lost) say("{}\n", lockstep_text(*record.seed, *lost));
  if (record.trace) {
    say("trace: {} events{} in {}\n", facts::separated(record.trace->events.size()),
        record.trace->truncated ? ", cut off where no more fit," : "", *options.trace);
  } else if (options.trace) {
    say("no trace: the kernel did not run to its end\n");
  }
}

nlohmann::ordered_json run_json(const RunOptions& options, const measure::Record& record,
                                const std::optional<problems::LostUpdates>& lost) {
  nlohmann::ordered_json json = measure::run_json(workbook::here(), record);
  if (lost) json["lockstep"] = {{"seed", *record.seed}, {"updates", lost->updates}, {"lost", lost->lost}};
  if (options.trace) json["trace"] = nullptr;
  if (record.trace)
    json["trace"] = {{"file", *options.trace},
                     {"events", record.trace->events.size()},
                     {"truncated", record.trace->truncated}};
  return json;
}

// The time of a file that has passed, on what every file is timed on where the user asks for nothing else.
void remember_time(const RunOptions& options, const measure::Record& record) {
  const problems::Problem& problem = measure::problem_of(record);
  const bool comparable = record.input == problem.usual_input() &&
                          record.variant == problem.variants().front().name && !options.length &&
                          !options.block && !options.grid && !options.seed;
  if (options.solution || record.exercise.is_variant() || !comparable || !record.is_timed()) return;
  const workbook::Workbook& workbook = workbook::here();
  if (state_of(workbook, record.exercise, Progress::load(workbook).of(record.exercise)) != State::passed)
    return;
  Progress::change(workbook, record.exercise, [&](ExerciseProgress& entry) {
    entry.consider({record.time_ms->median, std::string(name_of(record.backend)), record.input,
                    record.variant, record.length});
  });
}

// What is shorter takes less than a minute everywhere; from so much of the input the rest is worked out.
constexpr std::uint64_t short_bytes = std::uint64_t{32} << 20, sample_bytes = std::uint64_t{1} << 20;
constexpr double worth_asking_seconds = 60;

// How long a run on the simulator takes, from one over the input's beginning.
double expected_seconds(measure::Record asked, workbook::Tree tree, const problems::Input& input,
                        const runner::RunOptions& how) {
  std::vector<unsigned char> beginning(sample_bytes);
  input.read(0, beginning);
  const auto sample = problems::hold(std::move(beginning));
  const std::uint64_t element_bytes = asked.bytes() / asked.length;
  asked.length = sample_bytes / element_bytes;
  runner::RunOptions options = how;
  options.trace = {};
  measured_run(asked, tree, *sample, options);  // builds the runner, if need be
  const auto begin = std::chrono::steady_clock::now();
  measured_run(asked, tree, *sample, options);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return took.count() * static_cast<double>(input.length()) / sample_bytes;
}

std::string duration_text(double seconds) {
  constexpr double minute = 60, hour = 3600, day = 24 * hour;
  if (seconds < 2 * minute) return fmt::format("{:.0f} seconds", seconds);
  if (seconds < 2 * hour) return fmt::format("{:.0f} minutes", seconds / minute);
  return seconds < 2 * day ? fmt::format("{:.0f} hours", seconds / hour)
                           : fmt::format("{:.0f} days", seconds / day);
}

// Says how long a long run takes, and asks if there is somebody who can answer. False: it is not wanted.
bool wants(const RunOptions& options, const measure::Record& asked, workbook::Tree tree,
           const problems::Input& input, const runner::RunOptions& how) {
  if (!traits_of(asked.backend).simulated || input.length() <= short_bytes) return true;
  const double seconds = expected_seconds(asked, tree, input, how);
  if (seconds < worth_asking_seconds) return true;
  say(stderr, fmt::format("{} {} take about {} on the simulator\n", facts::separated(asked.length),
                          measure::problem_of(asked).elements(), duration_text(seconds)));
  if (options.yes || !isatty(STDIN_FILENO)) return true;
  fmt::print(stderr, "go on (y or n)? ");
  std::string answer;
  return std::getline(std::cin, answer) && (answer == "y" || answer == "yes");
}

int run(const RunOptions& options) {
  const workbook::ExerciseInfo exercise = find_version(options.lab);
  const problems::Problem& problem = problem_of(exercise);
  const std::string variant = options.variant.of(problem, options.input);
  const facts::Backend backend = backend_for(options, exercise);
  const std::uint64_t seed = options.seed.value_or(1);
  const ChosenInput chosen =
      choose_input(problem, variant, options.input, options.length, default_length(backend), seed);
  measure::Record record{.kind = "run",
                         .seed = seed,
                         .exercise = exercise,
                         .backend = backend,
                         .variant = variant,
                         .input = chosen.name,
                         .length = chosen.length};
  runner::RunOptions how = chosen_launch(options, exercise);
  if (options.trace) {
    how.trace = traced_blocks(options.trace_blocks.value_or("0"));
    how.trace->values = options.trace_values;
    os::require_writable(*options.trace);
  }
  how.parts = true;
  if (options.lockstep) how.lockstep_seed = seed;
  const workbook::Tree tree = choose_tree(options.solution, exercise);
  if (!wants(options, record, tree, *chosen.input, how)) return ExitCode::fine;
  record = measured_run(std::move(record), tree, *chosen.input, how);
  // What runs access by access is no measurement.
  if (!options.lockstep) keep_record(record);
  remember_time(options, record);
  if (record.trace) os::write_file(*options.trace, trace_lines(workbook::here(), record, tree, *how.trace));
  const auto lost = options.lockstep ? lost_updates(record) : std::nullopt;
  if (options.json) {
    fmt::print("{}\n", dumped(run_json(options, record, lost)));
  } else {
    print(record, tree);
    print_extras(options, record, lost);
  }
  return exit_code_of(record.finding);
}

// Of those that the labs are about, as a list.
std::string names_of_problems() {
  std::vector<std::string> names;
  for (const problems::Problem* const problem : problems_in_use()) names.emplace_back(problem->name());
  return join(names, " or ");
}

}  // namespace

std::string shown_result(const measure::Record& record, unsigned columns) {
  if (record.result.empty() && !record.unfinished) return {};
  const problems::Reference& reference = problems::reference_of(record.exercise.problem);
  const auto bars = reference.bars(record.variant, record.result, record.parts, record.input);
  std::string text = record.unfinished ? unfinished_text(*record.unfinished, !bars.empty())
                                       : reference.result_text(record.variant, record.result);
  if (!text.empty()) text += "\n";
  if (!bars.empty()) text += fmt::format("\n{}\n", report::bars(bars, reference.bar_word(), columns));
  return text;
}

std::optional<problems::LostUpdates> lost_updates(const measure::Record& record) {
  return problems::reference_of(record.exercise.problem)
      .lost_updates(record.variant, record.expected, record.result);
}

std::string lockstep_text(std::uint64_t seed, const problems::LostUpdates& updates) {
  return fmt::format("lockstep, seed {}: {} of {} updates lost", seed, facts::separated(updates.lost),
                     facts::separated(updates.updates));
}

void add_run(CommandLine& line) {
  auto [verb, options] = line.add<RunOptions>(
      "run", fmt::format("the {} of an input, with time and counters", names_of_problems()), run);
  add_launch_options(verb, options);
  verb.add_option("--trace", options.trace,
                  "on the simulator: a file for what the warps did, instruction by instruction");
  verb.add_flag("--yes", options.yes,
                "do not ask before a run that takes more than a minute on the simulator");
  verb.add_option("--trace-blocks", options.trace_blocks,
                  "which blocks are traced, such as 0,3-5; without it, block 0");
  verb.add_flag("--trace-values", options.trace_values,
                "what accesses find in memory and leave there is in the trace too");
  verb.add_flag(
      "--lockstep", options.lockstep,
      "on the simulator: access by access, in an order drawn from the seed, so that races lose updates");
}

}  // namespace cli
