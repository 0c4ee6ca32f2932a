// SPDX-License-Identifier: MIT
// lab-make-skeletons: for maintainers. Makes every exercise's skeleton from its solution and writes it to
// labs/ and to common/runner/skeletons/. A student's work in labs/ would be overwritten, so it has to be
// asked for by name.
#include <fmt/core.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "workbook/skeleton.hpp"
#include "workbook/workbook.hpp"

int main(int argument_count, char** arguments) {
  if (argument_count != 2 || std::strcmp(arguments[1], "--overwrite-labs") != 0) {
    fmt::print(stderr, "usage: lab-make-skeletons --overwrite-labs\n");
    return 2;
  }
  const workbook::Workbook& workbook = workbook::here();
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    const std::string source = workbook.source_file(exercise, workbook::Tree::solution);
    std::ifstream file(source);
    const std::string solution{std::istreambuf_iterator<char>(file), {}};
    if (!file) {
      fmt::print(stderr, "cannot read {}\n", source);
      return 3;
    }
    const std::string in_labs = workbook.source_root + "/labs/" + exercise.lab + "/" + exercise.file;
    for (const std::string& target : {workbook.skeleton_file(exercise), in_labs}) {
      std::filesystem::create_directories(std::filesystem::path(target).parent_path());
      std::ofstream out(target);
      out << workbook::skeleton_of(solution);
      if (!out.flush()) {
        fmt::print(stderr, "cannot write {}\n", target);
        return 3;
      }
    }
    fmt::print("{}/{}\n", exercise.lab, exercise.file);
  }
  return 0;
}
