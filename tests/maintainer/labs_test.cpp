// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "judge/check.hpp"

namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("labs/ as shipped holds the skeletons, to the letter") {
  workbook::Workbook workbook = workbook::here();
  REQUIRE(workbook.has_solutions);
  workbook.labs_dir = workbook.source_root + "/labs";
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    const std::string file = workbook.source_file(exercise, workbook::Tree::student);
    CAPTURE(file);
    CHECK(!contents(file).empty());
    CHECK(contents(file) == workbook.skeleton(exercise));
    CHECK(judge::check(workbook, workbook.target(exercise, workbook::Tree::student, facts::Backend::sim), {})
              .finding.verdict == facts::Verdict::not_started);
  }
}

TEST_CASE("every lab has a chapter, hints and answers") {
  const workbook::Workbook& workbook = workbook::here();
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    CAPTURE(exercise.lab);
    CHECK(!contents(workbook.lab_file(exercise, "README.md")).empty());
    CHECK(!contents(workbook.lab_file(exercise, exercise.name + ".hints.md")).empty());
    CHECK(!contents(workbook.source_root + "/solutions/" + exercise.lab + "/answers.md").empty());
  }
}
