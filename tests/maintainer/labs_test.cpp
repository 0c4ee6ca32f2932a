// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "judge/check.hpp"
#include "judge/skeleton.hpp"

namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("labs/ as shipped holds the skeletons, to the letter") {
  judge::Workbook workbook = judge::workbook();
  workbook.labs_dir = workbook.source_root + "/labs";
  for (const judge::ExerciseInfo& exercise : workbook.exercises) {
    const std::string file = workbook.source_file(exercise, judge::Tree::student);
    CAPTURE(file);
    CHECK(!contents(file).empty());
    CHECK(contents(file) == contents(workbook.skeleton_file(exercise)));
    CHECK(judge::check(workbook, exercise, {}).finding.verdict == facts::Verdict::not_started);
  }
}

TEST_CASE("the skeletons are the solutions without their marked parts") {
  const judge::Workbook& workbook = judge::workbook();
  REQUIRE(workbook.has_solutions);
  for (const judge::ExerciseInfo& exercise : workbook.exercises) {
    CAPTURE(exercise.lab);
    const std::string solution = contents(workbook.source_file(exercise, judge::Tree::solution));
    CHECK(judge::skeleton_of(solution) == contents(workbook.skeleton_file(exercise)));
  }
}

TEST_CASE("every lab has a chapter, hints and answers") {
  const judge::Workbook& workbook = judge::workbook();
  for (const judge::ExerciseInfo& exercise : workbook.exercises) {
    CAPTURE(exercise.lab);
    CHECK(!contents(workbook.lab_file(exercise, "README.md")).empty());
    CHECK(!contents(workbook.lab_file(exercise, exercise.name + ".hints.md")).empty());
    CHECK(!contents(workbook.source_root + "/solutions/" + exercise.lab + "/answers.md").empty());
  }
}
