// SPDX-License-Identifier: MIT
// lab-make-skeletons: for maintainers. Writes every exercise's skeleton, as its solution makes it,
//   --overwrite-labs  to labs/; a student's work there would be overwritten, so it has to be asked for by
//   name
//   --keep            to a hidden folder of its lab, where a tree without solutions/ finds it
#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "facts/errors.hpp"
#include "workbook/workbook.hpp"

namespace {

std::string target_of(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                      const std::string& option) {
  if (option == "--keep") return workbook.kept_skeleton(exercise);
  if (option == "--overwrite-labs") return workbook.lab_file(exercise, exercise.file);
  throw facts::UsageError("usage: lab-make-skeletons --overwrite-labs | --keep");
}

void make_skeletons(const std::string& option) {
  const workbook::Workbook& workbook = workbook::here();
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    const std::string target = target_of(workbook, exercise, option);
    const auto skeleton = workbook.skeleton(exercise);
    if (!skeleton)
      throw facts::MachineError("cannot read " + workbook.source_file(exercise, workbook::Tree::solution));
    std::filesystem::create_directories(std::filesystem::path(target).parent_path());
    std::ofstream out(target);
    if (!(out << *skeleton).flush()) throw facts::MachineError("cannot write " + target);
    fmt::print("{}\n", workbook.shortened(target));
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  try {
    make_skeletons(argument_count == 2 ? arguments[1] : "");
    return 0;
  } catch (const facts::UsageError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "lab-make-skeletons: {}\n", error.what());
    return 3;
  }
}
