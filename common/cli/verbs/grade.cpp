// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <thread>

#include "cli/command_line.hpp"
#include "cli/messages.hpp"
#include "cli/speech.hpp"
#include "cli/verbs/apart.hpp"
#include "facts/errors.hpp"
#include "grade/grading.hpp"
#include "grade/names.hpp"
#include "grade/sandbox.hpp"
#include "measure/gpu_device.hpp"
#include "report/terminal/screen.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

namespace {

struct GradeOptions {
  std::string folder, output, on, lab, shard;
  std::optional<std::string> only;
  std::vector<std::string> merge;
  std::optional<std::uint64_t> jobs, seed;
  bool no_sandbox = false, similar = false;
};

// What `lab check --all` prints of the verdict, without colours. Only a worker calls it, in a process of its
// own: there the program may go by the name that the README gives it, for the student has another path.
std::string feedback_text(const workbook::Workbook& workbook, const judge::CheckReport& report) {
  remember_name("build/lab");
  return finding_text(workbook, report.exercise, report.finding, {}) + further_text(workbook, report, true) +
         notes_text(workbook, report.notes);
}

std::string feedback_json(const workbook::Workbook& workbook, const judge::CheckReport& report) {
  return check_json(workbook, {report});
}

// "2/5"
grade::Shard shard_of(const std::string& words) {
  if (words.empty()) return {};
  grade::Shard shard;
  const char* const end = words.data() + words.size();
  const auto index = std::from_chars(words.data(), end, shard.index);
  const bool slash = index.ec == std::errc() && index.ptr != end && *index.ptr == '/';
  const auto count = slash ? std::from_chars(index.ptr + 1, end, shard.count) : index;
  if (!slash || count.ec != std::errc() || count.ptr != end || shard.index < 1 || shard.index > shard.count)
    throw facts::UsageError(fmt::format("--shard {}: I/N is meant, I from 1 to N, such as 2/5", words));
  return shard;
}

facts::Backend backend_of(const std::string& on) {
  require_backend_name(on);
  const facts::Backend backend = on.empty() ? facts::simulator : *facts::find_backend(on);
  if (!workbook::here().has(backend))
    throw facts::MachineError(fmt::format("the backend {} is not part of this build; next: {}",
                                          name_of(backend), lab_command("doctor")));
  if (facts::traits_of(backend).accelerator && !measure::gpu_device(workbook::here()).works)
    throw facts::MachineError("no GPU answers: " + measure::gpu_device(workbook::here()).why_not);
  return backend;
}

// Without LAB those of the course: an extra lab is graded where it is asked for, so that it changes nothing
// for those who do not hand it in.
std::vector<workbook::ExerciseInfo> graded_exercises(const std::string& lab) {
  if (!lab.empty()) return find_exercises(lab);
  std::vector<workbook::ExerciseInfo> exercises = workbook::here().exercises;
  std::erase_if(exercises, [](const workbook::ExerciseInfo& exercise) { return exercise.is_extra(); });
  return exercises;
}

grade::Settings settings_of(const GradeOptions& options) {
  grade::Settings settings{.folder = options.folder, .output = options.output};
  settings.backend = backend_of(options.on);
  settings.exercises = graded_exercises(options.lab);
  if (options.jobs == 0) throw facts::UsageError("--jobs 0: at least one submission is judged at a time");
  settings.jobs = static_cast<unsigned>(
      std::clamp<std::uint64_t>(options.jobs.value_or(std::thread::hardware_concurrency()), 1, 1024));
  settings.seed = options.seed.value_or(fresh_seed());
  settings.only = options.only;
  settings.telling = {feedback_text, feedback_json};
  settings.shard = shard_of(options.shard);
  if (settings.shard.count > 1 && !options.seed)
    throw facts::UsageError("all shards have to be graded with the same inputs: give each the same --seed");
  settings.sandboxed = !options.no_sandbox;
  settings.similar = options.similar;
  return settings;
}

void require_sandbox() {
  if (const auto why = grade::why_no_sandbox())
    throw facts::MachineError(
        *why +
        "\n  without a sandbox a submission can read files of this machine and use its network;"
        "\n  for submissions that you trust, or in a container of their own: lab grade --no-sandbox");
}

std::string time_left(double seconds) {
  const double minutes = std::ceil(seconds / 60);
  return minutes <= 1 ? "about a minute left" : fmt::format("about {:.0f} minutes left", minutes);
}

void tell_similar(const std::string& output, const grade::Similarity& similarity) {
  for (const grade::CommonCode& common : similarity.common)
    say("{} submissions hold the same {}: too many to mean anything\n", common.submissions, common.exercise);
  const std::size_t pairs = similarity.pairs.size();
  if (pairs == 0) {
    say("no two submissions hold the same code, apart from what many hold and what is short\n");
  } else {
    say("{} {} of submissions with the same code, names and comments aside; a hint, no verdict: {}\n", pairs,
        pairs == 1 ? "pair" : "pairs", grade::similar_file(output));
  }
}

// Who grades the course alone may not know of what else was handed in.
void tell_extra(const grade::Report& report) {
  for (const auto& [lab, submissions] : report.extra)
    say("{} {} extra lab {}, which is graded with --lab {} alone\n", submissions,
        submissions == 1 ? "submission holds" : "submissions hold", lab, lab);
}

int conclude(const grade::Settings& settings, const grade::Report& report) {
  fmt::print("{}/gradebook.csv has {} {}; points are given as {}/points.txt says\n", settings.output,
             report.rows, report.rows == 1 ? "row" : "rows", settings.output);
  if (report.similarity) tell_similar(settings.output, *report.similarity);
  for (const auto& [name, fault] : report.faults)
    fmt::print(stderr, "lab: no row for {}: {}\n", grade::printable_name(name), fault);
  return report.faults.empty() ? ExitCode::fine : ExitCode::machine;
}

int merge(const GradeOptions& options) {
  if (!options.folder.empty()) throw facts::UsageError("--merge takes the folders of the shards, and no DIR");
  if (options.similar)
    throw facts::UsageError("--similar reads the submissions: next: lab grade DIR --similar, after --merge");
  grade::Settings settings{.output = options.output};
  settings.exercises = graded_exercises(options.lab);
  return conclude(settings, grade::merge(settings, options.merge));
}

int grade(const GradeOptions& options) {
  if (!options.merge.empty()) return merge(options);
  if (options.folder.empty()) throw facts::UsageError("lab grade needs DIR, the folder with the submissions");
  grade::Settings settings = settings_of(options);
  if (settings.sandboxed) require_sandbox();
  grade::prepare_output(settings, options.seed.has_value());
  report::ProgressBar bar("grading");
  const bool live = report::Terminal::of_errors().live;
  const auto tell = [&](const grade::Step& step) {
    bar.clear();
    const std::string what = !step.fault.empty() ? "a fault of the machine: " + step.fault
                             : step.unchanged    ? step.summary + " (as before)"
                                                 : step.summary;
    say("{}/{} {}: {}\n", step.done, step.all, grade::printable_name(step.name), what);
    std::fflush(stdout);
    if (live && step.seconds_left && step.done < step.all)
      bar.update(fmt::format("{} of {}, {}", step.done, step.all, time_left(*step.seconds_left)));
  };
  const grade::Report report = grade::grade_class(
      settings, [&](const std::string& building) { bar.update(building); }, tell);
  bar.clear();
  for (const std::string& other : report.others)
    say("not a submission, for it is no folder: {}\n", grade::printable_name(other));
  say("{} judged, {} as before; seed {}\n", report.judged, report.unchanged, settings.seed);
  if (options.lab.empty()) tell_extra(report);
  const int code = conclude(settings, report);
  if (code != ExitCode::fine)
    fmt::print(stderr,
               "  next: put the machine right, then start the same command again; what is judged stays\n");
  return code;
}

}  // namespace

void add_grade(CommandLine& line) {
  auto [verb, options] = line.add<GradeOptions>("grade", grade_words, grade);
  verb.add_option("DIR", options.folder, "the folder: each folder in it is a submission");
  verb.add_option("--output", options.output,
                  "the folder for the gradebook and all else; made if it is missing")
      ->required();
  verb.add_option("--jobs", options.jobs, "submissions at a time; without it, one for each core")
      ->transform(whole_number());
  add_seed_option(verb, options.seed, "of the random inputs; without it, a new one, which is recorded");
  add_on_option(verb, options.on, "the simulator");
  verb.add_option("--only", options.only, "grade this submission alone");
  verb.add_option("--lab", options.lab,
                  lab_words() + "; without it, the course, which extra labs are no part of");
  verb.add_option("--shard", options.shard, "I/N: every N-th submission, from the I-th on; needs --seed");
  verb.add_option("--merge", options.merge, "put the folders of all shards together");
  verb.add_flag("--similar", options.similar, "name the pairs of submissions that hold the same code");
  verb.add_flag("--no-sandbox", options.no_sandbox, "judge where no sandbox can be had");
}

}  // namespace cli
