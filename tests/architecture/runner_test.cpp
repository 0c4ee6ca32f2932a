// SPDX-License-Identifier: MIT
// A student's code must not be able to reach the answer: no runner holds the CPU's reference or the judge.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "workbook/workbook.hpp"

namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("no runner holds the reference or the judge") {
  const workbook::Workbook& workbook = workbook::here();
  std::size_t seen = 0;
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    for (const facts::Backend backend : {facts::Backend::cpu, facts::Backend::sim, facts::Backend::gpu}) {
      const std::string runner = workbook.runner(exercise, workbook::Tree::solution, backend);
      if (!std::filesystem::exists(runner)) continue;
      ++seen;
      CAPTURE(runner);
      // Names as the linker's symbol table holds them.
      const std::string program = contents(runner);
      CHECK(program.find("exercise_under_test") != std::string::npos);
      CHECK(program.find("ByteCounts") == std::string::npos);
      CHECK(program.find("N5judge") == std::string::npos);
    }
  }
  if (!workbook.has_solutions) {
    MESSAGE("this tree has no solutions, and so no runners to look at");
    return;
  }
  CHECK(seen >= workbook.exercises.size());
}
