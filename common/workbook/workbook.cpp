// SPDX-License-Identifier: MIT
#include "workbook/workbook.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "facts/errors.hpp"
#include "os/files.hpp"
#include "workbook/manifest.hpp"
#include "workbook/skeleton.hpp"
#include "workbook_config.hpp"

namespace workbook {

namespace {

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

// The lab's number without leading zeros ("4" for "04_shared_memory"), or its name's first part ("x1").
std::string_view number_of(std::string_view lab) {
  std::string_view number = lab.substr(0, lab.find('_'));
  while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
  return number;
}

bool lab_matches(std::string_view lab, std::string_view wanted) {
  if (wanted.empty()) return false;
  if (lab == wanted) return true;
  if (is_number(wanted)) {
    while (wanted.size() > 1 && wanted.front() == '0') wanted.remove_prefix(1);
    return number_of(lab) == wanted;
  }
  return lab.find(wanted) != std::string_view::npos;
}

}  // namespace

std::string ExerciseInfo::short_name(bool only_one) const {
  const std::string number = lab.substr(0, lab.find('_'));
  return only_one && !is_variant() ? number : number + "/" + name;
}

std::string Workbook::source_file(const ExerciseInfo& exercise, Tree tree) const {
  const std::string& root = tree == Tree::student ? labs_dir : source_root + "/solutions";
  return root + "/" + exercise.lab + "/" + exercise.file;
}

std::string Workbook::kept_skeleton(const ExerciseInfo& exercise) const {
  return lab_file(exercise, ".skeleton/" + exercise.file);
}

std::optional<std::string> Workbook::skeleton(const ExerciseInfo& exercise) const {
  const std::string solution = source_file(exercise, Tree::solution);
  if (const auto text = os::read_file(solution)) {
    try {
      return skeleton_of(*text);
    } catch (const SkeletonError& error) {
      throw facts::MachineError(shortened(solution) + ": " + error.what());
    }
  }
  return os::read_file(kept_skeleton(exercise));
}

std::string Workbook::runner(const ExerciseInfo& exercise, Tree tree, facts::Backend backend) const {
  const std::string students = runners_dir.empty() ? build_root + "/labs" : runners_dir;
  return (tree == Tree::student ? students : build_root + "/solutions") + "/" + exercise.lab + "/" +
         exercise.name + "." + std::string(name_of(backend));
}

std::string Workbook::lab_file(const ExerciseInfo& exercise, std::string_view name) const {
  return source_root + "/labs/" + exercise.lab + "/" + std::string(name);
}

std::string Workbook::state_file(std::string_view name) const {
  if (state_root.empty()) return build_root + "/" + std::string(name);
  std::error_code reported_by_who_writes;
  std::filesystem::create_directories(state_root, reported_by_who_writes);
  return state_root + "/" + std::string(name);
}

std::string Workbook::shortened(const std::string& path) const {
  const std::string prefix = source_root + "/";
  return path.rfind(prefix, 0) == 0 ? path.substr(prefix.size()) : path;
}

std::vector<ExerciseInfo> Workbook::find(std::string_view name) const {
  const std::size_t slash = name.find('/');
  const std::string_view lab = name.substr(0, slash);
  const std::string_view exercise =
      slash == std::string_view::npos ? std::string_view{} : name.substr(slash + 1);
  std::vector<ExerciseInfo> by_lab, by_exercise;
  for (const ExerciseInfo& candidate : exercises) {
    if (lab_matches(candidate.lab, lab) && candidate.name.find(exercise) != std::string::npos)
      by_lab.push_back(candidate);
    if (slash == std::string_view::npos && !name.empty() && candidate.name.find(name) != std::string::npos)
      by_exercise.push_back(candidate);
  }
  if (by_lab.empty() && by_exercise.size() == 1) return by_exercise;
  for (const ExerciseInfo& candidate : by_lab) {
    if (candidate.lab != by_lab.front().lab) return {};
  }
  return by_lab;
}

std::vector<ExerciseInfo> Workbook::find_with_variants(std::string_view name) const {
  std::vector<ExerciseInfo> found = find(name);
  const std::size_t slash = name.find('/');
  if (!found.empty() || slash == name.npos) return found;
  const std::string_view wanted = name.substr(slash + 1);
  for (const ExerciseInfo& variant : variants) {
    if (!lab_matches(variant.lab, name.substr(0, slash))) continue;
    if (variant.name == wanted) return {variant};
    if (variant.name.find(wanted) != std::string::npos) found.push_back(variant);
  }
  return found;
}

std::vector<ExerciseInfo> Workbook::variants_of(const ExerciseInfo& exercise) const {
  std::vector<ExerciseInfo> found;
  for (const ExerciseInfo& variant : variants) {
    if (variant.lab == exercise.lab && variant.exercise_name() == exercise.name) found.push_back(variant);
  }
  return found;
}

bool Workbook::is_only_one(const ExerciseInfo& exercise) const {
  return std::count_if(exercises.begin(), exercises.end(),
                       [&](const ExerciseInfo& other) { return other.lab == exercise.lab; }) == 1;
}

namespace {

std::string state_root() {
  const char* const chosen = std::getenv("WORKBOOK_STATE");
  return chosen && *chosen ? std::filesystem::absolute(chosen).string() : std::string();
}

// What was chosen when the build folder was configured last.
std::string chosen_labs_dir() {
  std::string path = os::read_file(WORKBOOK_LABS_DIR_FILE).value_or("");
  if (path.ends_with('\n')) path.pop_back();
  if (path.empty()) throw facts::MachineError("cannot read " WORKBOOK_LABS_DIR_FILE);
  return path;
}

}  // namespace

const Workbook& here() {
  static const Workbook at_hand{
      .source_root = WORKBOOK_SOURCE_ROOT,
      .build_root = WORKBOOK_BUILD_ROOT,
      .state_root = state_root(),
      .labs_dir = chosen_labs_dir(),
      .has_solutions = WORKBOOK_HAS_SOLUTIONS,
      .has_simulator = WORKBOOK_HAS_SIMULATOR,
      .has_gpu = WORKBOOK_HAS_GPU,
      .ninja = WORKBOOK_NINJA,
      .exercises = read_manifests(WORKBOOK_SOURCE_ROOT),
      .variants = read_variants(WORKBOOK_SOURCE_ROOT, read_manifests(WORKBOOK_SOURCE_ROOT))};
  return at_hand;
}

}  // namespace workbook
