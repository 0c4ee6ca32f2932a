// SPDX-License-Identifier: MIT
#include "workbook/skeleton.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <vector>

#include "facts/errors.hpp"
#include "temporary_folder.hpp"
#include "workbook/workbook.hpp"

using workbook::skeleton_of;
using workbook::without_markers;

namespace {

constexpr std::string_view solution =
    "int f() {\n"
    "  // TODO 1: loop.\n"
    "  // <solution>\n"
    "  for (;;) {\n"
    "    // </solution>\n"
    "    // TODO 2: count.\n"
    "    // <solution>\n"
    "    ++count;\n"
    "  }\n"
    "  // </solution>\n"
    "  // <solution>\n"
    "  return count;\n"
    "  // </solution> return {1, 1};\n"
    "}\n";

std::string error_of(std::string_view text) {
  try {
    skeleton_of(text);
  } catch (const workbook::SkeletonError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("a skeleton is the solution less its marked parts, with text after a closing marker instead") {
  CHECK(skeleton_of(solution) ==
        "int f() {\n"
        "  // TODO 1: loop.\n"
        "    // TODO 2: count.\n"
        "  return {1, 1};\n"
        "}\n");
}

TEST_CASE("without its markers the solution is what a student would have written") {
  CHECK(without_markers(solution) ==
        "int f() {\n"
        "  // TODO 1: loop.\n"
        "  for (;;) {\n"
        "    // TODO 2: count.\n"
        "    ++count;\n"
        "  }\n"
        "  return count;\n"
        "}\n");
}

TEST_CASE("a file without markers is its own skeleton") {
  CHECK(skeleton_of("a\n  b // <solution> in passing\n\nc") == "a\n  b // <solution> in passing\n\nc\n");
  CHECK(skeleton_of("").empty());
  CHECK(without_markers("").empty());
}

TEST_CASE("markers that do not pair up are an error that names the line") {
  CHECK(error_of("a\n// </solution>\n") == "line 2: // </solution> without its counterpart");
  CHECK(error_of("// <solution>\n  // <solution>\n// </solution>\n") ==
        "line 2: // <solution> without its counterpart");
  CHECK(error_of("// <solution>\n// </solution> x;\n// </solution> y;\n") ==
        "line 3: // </solution> y; without its counterpart");
  CHECK(error_of("a\n// <solution>\nb\n") == "line 3: the file ends inside a solution");
  CHECK_THROWS_AS(without_markers("// <solution>\n"), workbook::SkeletonError);
}

TEST_CASE("solving an exercise only ever adds lines, the launch shape's return value excepted") {
  const workbook::Workbook& workbook = workbook::here();
  if (!workbook.has_solutions) {
    MESSAGE("left out: this tree has no solutions/");
    return;
  }
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    CAPTURE(exercise.lab);
    CAPTURE(exercise.file);
    const std::string file = text_of(workbook.source_file(exercise, workbook::Tree::solution));
    const std::vector<std::string> solved = lines_of(without_markers(file));
    const std::vector<std::string> open = lines_of(skeleton_of(file));
    CHECK(solved.size() > open.size());
    CHECK(without_markers(file).find("solution>") == std::string::npos);
    std::size_t at = 0;
    for (const std::string& line : open) {
      if (exercise.launched && line == "  return {1, 1};") continue;
      CAPTURE(line);
      while (at < solved.size() && solved[at] != line) ++at;
      CHECK(at++ < solved.size());
    }
  }
}

TEST_CASE("a skeleton is made from the solution; without one the kept copy counts, which may be missing") {
  const TemporaryFolder folder;
  workbook::Workbook workbook{};
  workbook.source_root = folder.path();
  const workbook::ExerciseInfo exercise{"07_sorting", "merge", "merge.cu"};
  CHECK_FALSE(workbook.skeleton(exercise));
  folder.write("labs/07_sorting/.skeleton/merge.cu", "kept\n");
  CHECK(workbook.skeleton(exercise) == "kept\n");
  const std::string file = folder.write("solutions/07_sorting/merge.cu", std::string(solution));
  CHECK(workbook.skeleton(exercise) == skeleton_of(solution));
  folder.write("solutions/07_sorting/merge.cu", "// </solution>\n");
  CHECK_THROWS_WITH_AS(workbook.skeleton(exercise),
                       "solutions/07_sorting/merge.cu: line 1: // </solution> without its counterpart",
                       facts::MachineError);
}
