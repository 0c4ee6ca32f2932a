// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <filesystem>

#include "cli/errors.hpp"
#include "cli/selection.hpp"
#include "cli/verbs.hpp"
#include "judge/check.hpp"

namespace cli {

namespace {

namespace files = std::filesystem;

// The first name of the form FILE.kept-N that is free: nothing that a student wrote is ever overwritten.
std::string free_name(const std::string& file) {
  for (int number = 1;; ++number) {
    std::string name = fmt::format("{}.kept-{}", file, number);
    if (!files::exists(name)) return name;
  }
}

void bring_back(const judge::ExerciseInfo& exercise) {
  const judge::Workbook& workbook = judge::workbook();
  const std::string file = workbook.source_file(exercise, judge::Tree::student);
  const std::string skeleton = workbook.skeleton_file(exercise);
  if (judge::equals_skeleton(file, skeleton)) {
    fmt::print("{} is the skeleton already\n", workbook.shortened(file));
    return;
  }
  try {
    // The skeleton is complete under another name before it takes the file's place.
    const std::string fresh = file + ".new";
    files::create_directories(files::path(file).parent_path());
    files::copy_file(skeleton, fresh, files::copy_options::overwrite_existing);
    const bool existed = files::exists(file);
    const std::string kept = free_name(file);
    if (existed) files::rename(file, kept);
    files::rename(fresh, file);
    fmt::print("{} is the skeleton again{}\n", workbook.shortened(file),
               existed ? fmt::format("; yours is kept as {}", workbook.shortened(kept)) : "");
  } catch (const files::filesystem_error& error) {
    throw MachineError(fmt::format("cannot bring back {}: {}", workbook.shortened(file), error.code().message()));
  }
}

}  // namespace

int reset(const std::string& lab) {
  for (const judge::ExerciseInfo& exercise : find_exercises(lab)) bring_back(exercise);
  return ExitCode::fine;
}

}  // namespace cli
