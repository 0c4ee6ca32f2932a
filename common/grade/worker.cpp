// SPDX-License-Identifier: MIT
#include "grade/worker.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "facts/errors.hpp"
#include "grade/names.hpp"
#include "grade/points.hpp"
#include "grade/result.hpp"
#include "grade/sandbox.hpp"
#include "grade/sha256.hpp"
#include "grade/speed.hpp"
#include "grade/submission.hpp"
#include "judge/build.hpp"
#include "os/files.hpp"

namespace grade {

namespace {

using Json = nlohmann::ordered_json;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// In all strings of a document.
void replace_in(Json& json, const std::string& from, const std::string& to) {
  if (json.is_string()) json = replaced(json.get<std::string>(), from, to);
  if (!json.is_structured()) return;
  for (auto& element : json) replace_in(element, from, to);
}

class Worker {
 public:
  Worker(const Settings& settings, const std::string& name, const std::string& scratch)
      : settings_(settings), scratch_(scratch), workbook_(workbook::here()) {
    workbook_.labs_dir = scratch + "/labs";
    workbook_.runners_dir = scratch + "/runners";
    for_compilers_ =
        settings.sandboxed ? compiler_sandbox(workbook_, scratch) : restriction(facts::simulator);
    std::filesystem::create_directories(workbook_.runners_dir);
    snapshot_ = take_snapshot(settings.folder + "/" + name, workbook_.labs_dir, workbook_.exercises);
  }

  const Snapshot& snapshot() const { return snapshot_; }

  Json judged(const workbook::ExerciseInfo& exercise) const {
    judge::CheckReport report{.exercise = exercise, .backend = backend_of(exercise), .seed = settings_.seed};
    const std::string path = exercise.lab + "/" + exercise.file;
    if (snapshot_.holds(path)) {
      const auto lock = held_gpu(report.backend, os::Hold::shared);
      report = judge::check(workbook_, workbook_.target(exercise, workbook::Tree::student, report.backend),
                            {.seed = settings_.seed,
                             .wrapper = {},
                             .progress = {},
                             .build_manner = manner(),
                             .sandbox = sandbox_of(report.backend)});
      require_sandbox(report);
    } else if (const LeftOut* file = snapshot_.find_left_out(path)) {
      report.finding = refusal(*file);
    } else {
      return missing(exercise, path);
    }
    Json json = Json::parse(settings_.telling.as_json(workbook_, report));
    json["text"] = settings_.telling.as_text(workbook_, report);
    show(json);
    return json;
  }

  // Beside the solution's, of an exercise that is right.
  Json speed(const workbook::ExerciseInfo& exercise) const {
    Json speed = measured(exercise);
    show(speed);
    return speed;
  }

 private:
  build::Manner manner() const { return {.libraries_are_built = true, .wrapper = for_compilers_}; }

  Json measured(const workbook::ExerciseInfo& exercise) const {
    constexpr facts::Backend gpu = facts::Backend::gpu;
    const workbook::Target target = workbook_.target(exercise, workbook::Tree::student, gpu);
    judge::TimeLimit whole(judge::CheckOptions().time_limit);
    if (const auto finding = judge::build_runner(workbook_, target, {.manner = manner(), .whole = &whole}))
      return no_speed(finding->message);
    judge::RunnerSettings runner = judge::runner_settings(target);
    runner.sandbox = sandbox_of(gpu);
    const auto lock = held_gpu(gpu, os::Hold::alone);
    return measured_speed(exercise, runner, settings_.seed);
  }

  // Times are taken while nothing else of this grading runs on the GPU.
  std::unique_ptr<os::FileLock> held_gpu(facts::Backend backend, os::Hold hold) const {
    if (!settings_.speed || !facts::traits_of(backend).accelerator) return nullptr;
    return std::make_unique<os::FileLock>(gpu_lock_file(settings_.output), O_RDWR | O_CREAT,
                                          std::function<void()>(), hold);
  }

  // Paths as the student knows them.
  void show(Json& json) const {
    const std::string labs = as_text(snapshot_.labs);
    replace_in(json, workbook_.labs_dir + "/", labs.empty() ? labs : labs + "/");
    replace_in(json, scratch_ + "/", "");
  }

  facts::Backend backend_of(const workbook::ExerciseInfo& exercise) const {
    return exercise.launched ? settings_.backend : facts::without_kernels;
  }

  std::vector<std::string> sandbox_of(facts::Backend backend) const {
    return settings_.sandboxed ? runner_sandbox(workbook_.runners_dir, backend) : restriction(backend);
  }

  // A runner that ended before it answered may have had no sandbox to run in. It can pretend that, too: so
  // the machine is asked.
  void require_sandbox(const judge::CheckReport& report) const {
    if (!settings_.sandboxed || report.finding.verdict != facts::Verdict::protocol) return;
    if (const auto why = why_no_sandbox()) throw facts::MachineError(*why);
  }

  facts::Finding refusal(const LeftOut& file) const {
    const facts::Verdict verdict = file.is_too_large ? facts::Verdict::limit
                                   : file.is_link    ? facts::Verdict::forbidden
                                                     : facts::Verdict::build_error;
    return {verdict, fmt::format("{}/{}: {}", workbook_.labs_dir, printable_name(file.path), file.why)};
  }

  Json missing(const workbook::ExerciseInfo& exercise, const std::string& path) const {
    const std::string why = snapshot_.note.empty() ? "there is no " + path : snapshot_.note;
    return {{"lab", exercise.lab},
            {"exercise", exercise.name},
            {"verdict", "missing"},
            {"message", why},
            {"text", fmt::format("missing: {}\n", why)}};
  }

  const Settings& settings_;
  const std::string& scratch_;
  workbook::Workbook workbook_;
  build::Command for_compilers_;
  Snapshot snapshot_;
};

}  // namespace

Outcome judge_submission(const Settings& settings, const std::string& name, const std::string& scratch,
                         const std::string& judge_version) {
  const Worker worker(settings, name, scratch);
  Json result = heading_json(settings, name, worker.snapshot(), judge_version);
  const std::string file = result_file(settings.output, name);
  auto kept = read_result(file);
  if (kept && !is_about_the_same(*kept, result)) kept.reset();
  const auto is_asked = [&](const workbook::ExerciseInfo& exercise) {
    return std::any_of(settings.exercises.begin(), settings.exercises.end(),
                       [&](const auto& asked) { return asked.is_same(exercise); });
  };
  bool unchanged = true;
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    // With --lab, other labs may have been judged before.
    const Json* const before = kept ? exercise_in(*kept, exercise) : nullptr;
    if (!before && !is_asked(exercise)) continue;
    Json judged = before ? *before : worker.judged(exercise);
    const bool lacks_speed = settings.speed && exercise.launched && is_asked(exercise) &&
                             is_correct(judged) && !judged.contains("speed");
    if (lacks_speed) judged["speed"] = worker.speed(exercise);
    result["asked"].push_back(exercise.lab + "/" + exercise.name);
    result["exercises"].push_back(std::move(judged));
    unchanged = unchanged && before && !lacks_speed;
  }
  if (unchanged) return Outcome::unchanged;
  put(settings.output, file, dumped(result));
  return Outcome::judged;
}

}  // namespace grade
