// SPDX-License-Identifier: MIT
#include "cli/reset.hpp"

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

// The file's place is never empty for longer than it takes to rename: where the second step fails, the first is undone.
void exchange(const std::string& file, const std::string& kept, const std::string& fresh) {
  const bool existed = files::exists(file);
  if (existed) files::rename(file, kept);
  try {
    files::rename(fresh, file);
  } catch (const files::filesystem_error&) {
    if (existed) files::rename(kept, file);
    throw;
  }
}

}  // namespace

std::string bring_back(const judge::Workbook& workbook, const judge::ExerciseInfo& exercise) {
  const std::string file = workbook.source_file(exercise, judge::Tree::student);
  const std::string skeleton = workbook.skeleton_file(exercise);
  if (judge::equals_skeleton(file, skeleton)) return workbook.shortened(file) + " is the skeleton already";
  const std::string folder = files::path(file).parent_path(), fresh = file + ".new";
  try {
    // The skeleton is complete under another name before it takes the file's place.
    files::create_directories(folder);
    files::copy_file(skeleton, fresh, files::copy_options::overwrite_existing);
    const bool existed = files::exists(file);
    const std::string kept = free_name(file);
    exchange(file, kept, fresh);
    return fmt::format("{} is the skeleton again{}", workbook.shortened(file),
                       existed ? fmt::format("; yours is kept as {}", workbook.shortened(kept)) : "");
  } catch (const files::filesystem_error& error) {
    std::error_code ignored;
    files::remove(fresh, ignored);
    const std::string what = files::exists(skeleton, ignored) ? "cannot write in " + workbook.shortened(folder)
                                                              : "cannot read " + workbook.shortened(skeleton);
    throw MachineError(fmt::format("{}: {}; {} is as it was", what, error.code().message(), workbook.shortened(file)));
  }
}

int reset(const std::string& lab) {
  for (const judge::ExerciseInfo& exercise : find_exercises(lab)) fmt::print("{}\n", bring_back(judge::workbook(), exercise));
  return ExitCode::fine;
}

}  // namespace cli
