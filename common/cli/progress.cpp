// SPDX-License-Identifier: MIT
#include "cli/progress.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "facts/errors.hpp"
#include "os/files.hpp"
#include "problems/problem.hpp"

namespace cli {

using ProgressJson = nlohmann::json;

namespace {

// The option of the problem that has the variant.
std::string variant_key(const std::string& variant) {
  const auto all = problems::problems();
  const auto found = std::ranges::find_if(
      all, [&](const problems::Problem* problem) { return problem->find_variant(variant) != nullptr; });
  return std::string((found == all.end() ? all.front() : *found)->variant_option());
}

// The variant under whichever of the problems' keys there is.
std::string variant_in(const ProgressJson& best) {
  for (const problems::Problem* const problem : problems::problems()) {
    if (const auto found = best.find(problem->variant_option()); found != best.end()) return *found;
  }
  return best.at(problems::problems().front()->variant_option());
}

std::optional<BestTime> best_of(const ProgressJson& entry) {
  if (!entry.contains("best")) return std::nullopt;
  const ProgressJson& best = entry.at("best");
  return BestTime{best.at("time_ms"), best.at("backend"), best.at("input"), variant_in(best),
                  best.at("length")};
}

ProgressJson entry_json(const ExerciseProgress& entry) {
  ProgressJson json{{"verdict", entry.verdict},
                    {"fingerprint", entry.fingerprint},
                    {"attempts", entry.attempts},
                    {"hints", entry.hints}};
  if (const auto& best = entry.best) {
    json["best"] = {{"time_ms", best->time_ms},
                    {"backend", best->backend},
                    {"input", best->input},
                    {variant_key(best->variant), best->variant},
                    {"length", best->length}};
  }
  return json;
}

}  // namespace

void ExerciseProgress::consider(BestTime time) {
  if (!best || !best->is_comparable(time) || time.time_ms < best->time_ms) best = std::move(time);
}

Progress Progress::load(const workbook::Workbook& workbook) {
  Progress progress;
  progress.path_ = workbook.state_file("progress.json");
  const ProgressJson json = ProgressJson::parse(os::read_file(progress.path_).value_or(""), nullptr, false);
  if (!json.is_object()) return progress;
  for (const auto& [name, entry] : json.items()) {
    if (!entry.is_object()) continue;
    try {
      progress.all_[name] = {entry.value("verdict", ""), entry.value("fingerprint", ""),
                             entry.value("attempts", 0u), entry.value("hints", 0u), best_of(entry)};
    } catch (const ProgressJson::exception&) {
      continue;
    }
  }
  return progress;
}

void Progress::save() const {
  ProgressJson json = ProgressJson::object();
  for (const auto& [name, entry] : all_) json[name] = entry_json(entry);
  os::write_file(path_, json.dump(2, ' ', false, ProgressJson::error_handler_t::replace) + "\n");
}

void Progress::change(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                      const std::function<void(ExerciseProgress&)>& edit) {
  // If the lock cannot be had, nothing can be written either.
  const os::FileLock lock(workbook.state_file(".progress.lock"), O_RDWR | O_CREAT);
  Progress progress = load(workbook);
  edit(progress.of(exercise));
  try {
    progress.save();
  } catch (const facts::MachineError& error) {
    // The verdict stands; only `lab list` will not know of it.
    fmt::print(stderr, "lab: this is not remembered: {}\n", error.what());
  }
}

std::string fingerprint_of(const std::string& path) {
  const std::optional<std::string> text = os::read_file(path);
  if (!text) return {};
  // FNV-1a, 64 bits: tells versions of a file apart, and guards nothing.
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : *text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

State state_of(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
               const ExerciseProgress& progress) {
  const std::string file = workbook.source_file(exercise, workbook::Tree::student);
  // A link that leads nowhere counts as missing too.
  if (std::error_code error;
      !std::filesystem::exists(file, error) && (!error || error == std::errc::no_such_file_or_directory))
    return State::missing;
  if (judge::equals_skeleton(file, workbook.skeleton(exercise))) return State::not_started;
  if (progress.verdict.empty() || progress.fingerprint != fingerprint_of(file)) return State::changed;
  return progress.verdict == name_of(facts::Verdict::pass) ? State::passed : State::failing;
}

std::string state_name(State state, const ExerciseProgress& progress) {
  switch (state) {
    case State::missing:
      return "missing";
    case State::not_started:
      return "not started";
    case State::changed:
      return "changed since the last check";
    case State::failing:
      return progress.verdict;
    default:
      return "passed";
  }
}

std::optional<workbook::ExerciseInfo> next_exercise(const workbook::Workbook& workbook,
                                                    const workbook::ExerciseInfo* after) {
  Progress progress = Progress::load(workbook);
  std::optional<workbook::ExerciseInfo> before;
  bool behind = after == nullptr;
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    if (after && exercise.is_same(*after)) {
      behind = true;
      continue;
    }
    if (state_of(workbook, exercise, progress.of(exercise)) == State::passed) continue;
    if (behind) return exercise;
    if (!before) before = exercise;
  }
  return before;
}

}  // namespace cli
