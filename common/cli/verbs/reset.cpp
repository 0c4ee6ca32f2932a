// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/command_line.hpp"
#include "cli/speech.hpp"
#include "cli/verbs/verbs.hpp"
#include "facts/errors.hpp"
#include "judge/check.hpp"
#include "os/files.hpp"

namespace cli {

namespace {

namespace files = std::filesystem;

// True for a link that leads nowhere too.
bool is_there(const std::string& path) { return files::exists(files::symlink_status(path)); }

// The first name of the form FILE.WORD-N that is free: nothing that a student wrote is ever overwritten.
std::string free_name(const std::string& file, const char* word) {
  for (int number = 1;; ++number) {
    std::string name = fmt::format("{}.{}-{}", file, word, number);
    if (!is_there(name)) return name;
  }
}

// The file's place is never empty for longer than it takes to rename: where the second step fails, the first
// is undone.
void exchange(const std::string& file, const std::string& kept, const std::string& fresh) {
  const bool existed = is_there(file);
  if (existed) files::rename(file, kept);
  try {
    files::rename(fresh, file);
  } catch (const files::filesystem_error&) {
    if (existed) files::rename(kept, file);
    throw;
  }
}

// The skeleton is complete under another name before it takes the file's place.
void put_in_place(const std::string& skeleton, const std::string& file, const std::string& kept) {
  const std::string fresh = free_name(file, "new");
  try {
    std::ofstream out(fresh, std::ios::binary);
    if (!(out << skeleton).flush())
      throw files::filesystem_error("", fresh, std::error_code(errno, std::generic_category()));
    exchange(file, kept, fresh);
  } catch (const files::filesystem_error& error) {
    std::error_code ignored;
    if (error.code() != std::errc::file_exists) files::remove(fresh, ignored);
    throw;
  }
}

}  // namespace

std::string bring_back(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise) {
  const std::string file = workbook.source_file(exercise, workbook::Tree::student);
  const std::optional<std::string> skeleton = workbook.skeleton(exercise);
  if (!skeleton) {
    throw facts::MachineError(fmt::format("cannot read {}: {}; {} is as it was",
                                          workbook.shortened(workbook.kept_skeleton(exercise)),
                                          std::strerror(errno), workbook.shortened(file)));
  }
  const std::string folder = files::path(file).parent_path();
  try {
    files::create_directories(folder);
    // Two programs at once would choose the same name, and the second write over what the first has kept.
    const os::FileLock lock(folder, O_RDONLY | O_DIRECTORY);
    if (judge::holds_skeleton(file, skeleton)) return workbook.shortened(file) + " is the skeleton already";
    const bool existed = is_there(file);
    const std::string kept = free_name(file, "kept");
    put_in_place(*skeleton, file, kept);
    return fmt::format("{} is the skeleton again{}", workbook.shortened(file),
                       existed ? fmt::format("; yours is kept as {}", workbook.shortened(kept)) : "");
  } catch (const files::filesystem_error& error) {
    throw facts::MachineError(fmt::format("cannot write in {}: {}; {} is as it was",
                                          workbook.shortened(folder), error.code().message(),
                                          workbook.shortened(file)));
  }
}

namespace {

struct ResetOptions {
  std::string lab;
};

int reset(const ResetOptions& options) {
  for (const workbook::ExerciseInfo& exercise : find_exercises(options.lab))
    say("{}\n", bring_back(workbook::here(), exercise));
  return ExitCode::fine;
}

}  // namespace

void add_reset(CommandLine& line) {
  auto [verb, options] =
      line.add<ResetOptions>("reset", "the skeleton again; the student's file is kept beside it", reset);
  verb.add_option("LAB", options.lab, lab_words())->required();
}

}  // namespace cli
