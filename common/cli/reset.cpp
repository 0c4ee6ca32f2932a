// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
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

void reset(const judge::ExerciseInfo& exercise) {
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

void add_reset(CLI::App& app, int& exit_code) {
  auto lab = std::make_shared<std::string>();
  CLI::App* const verb = app.add_subcommand("reset", "the skeleton again; the student's file is kept beside it");
  verb->add_option("LAB", *lab, "04, 4, shared, 05/interleaved ...")->required();
  verb->callback([lab, &exit_code] {
    for (const judge::ExerciseInfo& exercise : find_exercises(*lab)) reset(exercise);
    exit_code = ExitCode::fine;
  });
}

}  // namespace cli
