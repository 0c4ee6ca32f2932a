// SPDX-License-Identifier: MIT
#include "demo/stage.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "all_demos.hpp"
#include "demo/findings.hpp"
#include "demo/replay.hpp"
#include "facts/errors.hpp"
#include "facts/words.hpp"
#include "judge/build.hpp"
#include "judge/check.hpp"
#include "judge/finding_details.hpp"
#include "judge/source_text.hpp"
#include "measure/run.hpp"
#include "os/files.hpp"

namespace demo {

#define DEMO(name) extern const Entry name##_demo;
ALL_DEMOS
#undef DEMO

std::span<const Entry> demonstrations() {
  static const std::vector<Entry> all{
#define DEMO(name) name##_demo,
      ALL_DEMOS
#undef DEMO
  };
  return all;
}

const Entry* find(std::string_view name) {
  const auto found = std::ranges::find(demonstrations(), name, &Entry::name);
  return found == demonstrations().end() ? nullptr : &*found;
}

namespace {

void add_note(Demonstration& demonstration, std::string note) {
  if (std::ranges::find(demonstration.notes, note) == demonstration.notes.end())
    demonstration.notes.push_back(std::move(note));
}

void add_note_of_cut(Demonstration& demonstration) {
  add_note(demonstration, "The trace is cut: the kernel does more than can be shown");
}

// A page of two scenes with so many frames each stays below a megabyte.
constexpr std::size_t most_frames = 200;

// `frames` are the last of the demonstration's, in their order.
void cut_frames(Demonstration& demonstration, std::vector<std::size_t>& frames) {
  if (frames.size() <= most_frames) return;
  frames.resize(most_frames);
  demonstration.frames.resize(frames.back() + 1);
  demonstration.frames.back().in_handout = true;
  add_note_of_cut(demonstration);
}

// Throws where the user has chosen what the demonstration does not obey.
void require_obeyed(const Entry& entry, const Options& options) {
  const auto refuse = [&](std::string_view option, std::string_view why) {
    throw facts::UsageError(fmt::format("{} means nothing for \"{}\": {}", option, entry.name, why));
  };
  constexpr std::string_view no_kernel = "it shows what was measured, not a kernel of yours";
  if (!entry.obeys.kernel && options.own) refuse("--own", no_kernel);
  if (!entry.obeys.kernel && !options.lab.empty()) refuse("--lab", no_kernel);
  if (!entry.obeys.kernel && !options.file.empty()) refuse("--file", no_kernel);
  if (!entry.obeys.text && options.text) refuse("--text", "it counts no text");
  if (!entry.obeys.seed && options.seed) refuse("--seed", "nothing in it is drawn by chance");
}

}  // namespace

Demonstration make(const Entry& entry, Stage& stage) {
  require_obeyed(entry, stage.options());
  Demonstration demonstration = entry.make(stage);
  if (demonstration.scenes.empty())
    throw facts::UsageError(fmt::format("there is nothing to show: {}", demonstration.notes.front()));
  demonstration.name = entry.name;
  demonstration.title = entry.title;
  return demonstration;
}

Frame frame_after(const Demonstration& demonstration, std::size_t run, std::size_t events,
                  std::string caption) {
  return {.caption = std::move(caption),
          .line = events > 0 ? demonstration.runs[run].lines[events - 1] : 0,
          .run = run,
          .events = events};
}

std::size_t add_frame(Demonstration& demonstration, Frame frame) {
  demonstration.frames.push_back(std::move(frame));
  return demonstration.frames.size() - 1;
}

void add_scene(Stage& stage, Demonstration& demonstration, std::string title, const Wish& wish,
               const Teller& tell) {
  const auto why = stage.not_written(wish);
  if (why && !stage.has_one_kernel()) {
    demonstration.notes.push_back(fmt::format("{}, so \"{}\" is left out", *why, title));
    return;
  }
  demonstration.sources.push_back(stage.source(wish));
  const std::size_t run = stage.run(demonstration, wish);
  std::vector<std::size_t> frames = tell(run);
  cut_frames(demonstration, frames);
  show_finding(demonstration, run, frames, true);
  demonstration.scenes.push_back({std::move(title), demonstration.sources.size() - 1, std::move(frames)});
}

void add_scenes(Stage& stage, Demonstration& demonstration, const std::vector<LabScene>& scenes, Wish wish,
                const Teller& tell) {
  if (stage.has_one_kernel()) {
    wish.exercise = stage.exercise(scenes.back().lab);
    return add_scene(stage, demonstration, "The chosen kernel", wish, tell);
  }
  for (const LabScene& scene : scenes) {
    wish.exercise = stage.exercise(scene.lab);
    add_scene(stage, demonstration, scene.title, wish, tell);
  }
}

namespace {

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

std::vector<std::string> lines_of_text(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

// Tasks and markers of the solution are no part of the kernel.
bool is_comment(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin != line.npos && line.substr(begin).starts_with("//");
}

// For a run: what a demonstration shows takes milliseconds, and an audience waits for a kernel that never
// ends.
constexpr std::chrono::milliseconds patience{2000};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// In lockstep the threads in the order of their accesses; else nothing. `threads` per block.
std::vector<unsigned> order_of(const facts::Trace& trace, unsigned threads) {
  std::vector<unsigned> order;
  if (!trace.interleaved) return order;
  for (const facts::TraceEvent& event : trace.events) {
    if (event.is_access())
      order.push_back(static_cast<unsigned>(thread_of(event, lanes_of(event).front().lane, threads)));
  }
  return order;
}

void add_note_of(Demonstration& demonstration, const std::string& file, const facts::Finding& finding) {
  if (finding.verdict == facts::Verdict::pass) return;
  add_note(demonstration,
           fmt::format("{}: {}: {}", file, name_of(finding.verdict), first_line(finding.message)));
}

}  // namespace

workbook::ExerciseInfo Stage::exercise(std::string_view usual) const {
  const std::string name = options_.lab.empty() ? std::string(usual) : options_.lab;
  const std::vector<workbook::ExerciseInfo> found = workbook_.find_with_variants(name);
  if (found.empty()) throw facts::UsageError(fmt::format("no exercise is called \"{}\"", name));
  if (!found.front().launched) {
    throw facts::UsageError(fmt::format("lab {} launches no kernel, so it has no events to show",
                                        workbook_.short_name(found.front())));
  }
  return found.front();
}

std::string Stage::kept(const workbook::ExerciseInfo& exercise, std::string_view name) const {
  if (is_chosen()) return {};
  const std::string file = workbook_.lab_file(exercise, fmt::format("demos/{}", name));
  return std::filesystem::exists(file) ? file : std::string();
}

std::string Stage::file_of(const Wish& wish) const {
  if (!options_.file.empty()) return std::filesystem::absolute(options_.file).string();
  return wish.file;
}

workbook::Target Stage::target_of(const Wish& wish) const {
  const bool solved = !options_.own && workbook_.has_solutions;
  workbook::Target target = workbook_.target(
      wish.exercise, solved ? workbook::Tree::solution : workbook::Tree::student, facts::simulator);
  if (const std::string file = file_of(wish); !file.empty()) {
    target.source = file;
    target.runner = fmt::format("{}/demos/{}/{}.{}", workbook_.build_root, wish.exercise.lab,
                                std::filesystem::path(file).stem().string(), name_of(facts::simulator));
  }
  return target;
}

void Stage::build(const workbook::Target& target) {
  if (std::ranges::find(built_, target.runner) != built_.end()) return;
  if (!std::filesystem::exists(target.source))
    throw facts::UsageError(fmt::format("there is no file {}", target.source));
  if (progress_) progress_("building");
  if (const auto fault = judge::build_runner(workbook_, target, {.progress = progress_}))
    throw facts::MachineError(
        fmt::format("{} cannot be shown: {}", workbook_.shortened(target.source), fault->message));
  built_.push_back(target.runner);
}

measure::Record Stage::record_of(const workbook::Target& target, const Wish& wish,
                                 const runner::RunOptions& how) {
  const auto input = problems::hold({wish.text.begin(), wish.text.end()});
  const problems::Problem& problem = *problems::find_problem(wish.exercise.problem);
  judge::RunnerSettings settings = judge::runner_settings(target);
  settings.answer_time = patience;
  measure::Record record = measure::run(
      settings, *input,
      {.kind = "run",
       .tree = std::string(name_of(target.tree)),
       .exercise = wish.exercise,
       .backend = target.backend,
       .variant =
           std::string(wish.last_variant ? problem.variants().back().name : problem.variants().front().name),
       .input = "text",
       .length = wish.text.size() / element_bytes(wish)},
      how);
  judge::complete(record.finding, judge::StudentNames(problem, true, target.source));
  return record;
}

facts::Finding Stage::finding_beside_lockstep(const workbook::Target& target, const Wish& wish,
                                              runner::RunOptions how) {
  how.lockstep_seed.reset();
  how.lockstep_order.clear();
  how.trace.reset();
  const auto [known, is_new] =
      beside_lockstep_.try_emplace({target.runner, wish.text, wish.block.value_or(0), wish.grid.value_or(0)});
  if (is_new) known->second = record_of(target, wish, how).finding;
  return known->second;
}

bool Stage::is_right_in_its_own_shape(const workbook::Target& target, const Wish& wish) {
  const bool is_wrong = last_.finding.verdict == facts::Verdict::wrong_answer;
  if (!is_wrong || !wish.grid || wish.lockstep_seed) return false;
  return record_of(target, wish, {}).finding.verdict == facts::Verdict::pass;
}

std::optional<std::string> Stage::not_written(const Wish& wish) const {
  const workbook::Target target = target_of(wish);
  if (target.source != workbook_.source_file(target.exercise, target.tree)) return std::nullopt;
  const auto finding = judge::not_started(workbook_, target);
  return finding ? std::optional(finding->message) : std::nullopt;
}

// The lines of source of the run's events and of its finding; 0 for those in another file.
void Stage::find_lines(Run& run, const std::string& runner, const std::string& source) const {
  const std::string file = workbook_.shortened(source);
  const auto line_in_file = [&](const std::optional<facts::Location>& line) {
    return line && workbook_.shortened(line->file) == file ? line->line : 0;
  };
  std::vector<std::uint64_t> places;
  for (const facts::TraceEvent& event : run.trace.events) places.push_back(event.place);
  for (const auto& line : judge::line_of_each(runner, places)) run.lines.push_back(line_in_file(line));
  if (run.finding.threads.empty()) return;
  const auto lines = judge::line_of_each(runner, {run.finding.threads.front().site});
  run.finding_line = line_in_file(lines.front());
}

std::size_t Stage::run(Demonstration& demonstration, const Wish& wish) {
  if (const auto why = not_written(wish))
    throw facts::UsageError(fmt::format("{}, so there is nothing to show", *why));
  const workbook::Target target = target_of(wish);
  build(target);
  if (progress_) progress_(fmt::format("run {}", demonstration.runs.size() + 1));
  runner::RunOptions how{.block = wish.block, .grid = wish.grid};
  how.trace =
      facts::TraceRequest{.blocks = {{0, wish.blocks - 1}}, .values = true, .most_events = wish.most_events};
  how.lockstep_seed = wish.lockstep_seed;
  how.lockstep_order = wish.order;
  last_ = record_of(target, wish, how);
  const std::string file = workbook_.shortened(target.source);
  if (!last_.trace)
    throw facts::MachineError(fmt::format("{} left no trace: {}", file, first_line(last_.finding.message)));
  if (std::ranges::none_of(last_.trace->events, &facts::TraceEvent::is_access))
    throw facts::UsageError(fmt::format("{} cannot be shown: none of its threads has accessed memory", file));
  add_note(demonstration, fmt::format("Made from a run of {} on the simulator", file));
  if (is_right_in_its_own_shape(target, wish)) {
    last_.finding = {facts::Verdict::pass, {}};
    add_note(demonstration,
             fmt::format(
                 "{} has {} of {} here, too few for its launch shape: it does not count the whole text", file,
                 facts::counted(last_.launch.grid, "blocks"), facts::counted(last_.launch.block, "threads")));
  }
  add_note_of(demonstration, file, last_.finding);
  Run run{
      .trace = *last_.trace, .lines = {}, .order = {}, .counters = last_.counters, .finding = last_.finding};
  if (wish.lockstep_seed && !run.is_endless()) {
    const facts::Finding other = finding_beside_lockstep(target, wish, how);
    add_note_of(demonstration, file, other);
    if (comes_before(other, run.finding)) run.finding = other;
  }
  run.is_cut = run.trace.truncated;
  if (run.is_cut) add_note_of_cut(demonstration);
  run.order = order_of(run.trace, last_.launch.block);
  run.faulty = faulty_accesses(run.trace, run.finding);
  find_lines(run, target.runner, target.source);
  demonstration.runs.push_back(std::move(run));
  return demonstration.runs.size() - 1;
}

std::size_t Stage::element_bytes(const Wish& wish) const {
  return problems::find_problem(wish.exercise.problem)->variants().front().element_bytes;
}

Source Stage::source(const Wish& wish) const { return lines_of(target_of(wish).source); }

Source Stage::lines_of(const std::string& path) const {
  std::vector<std::string> lines = lines_of_text(os::read_file(path).value_or(std::string()));
  Source source{workbook_.shortened(path)};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // Below the kernel the launch's shape says nothing of its events.
    if (lines[i].starts_with("LaunchShape ")) break;
    const bool left_out = is_comment(lines[i]) || is_blank(lines[i]) || lines[i].starts_with("#include");
    if (left_out) continue;
    source.lines.push_back(std::move(lines[i]));
    source.numbers.push_back(static_cast<int>(i) + 1);
  }
  return source;
}

}  // namespace demo
