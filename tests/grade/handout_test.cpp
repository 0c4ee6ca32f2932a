// SPDX-License-Identifier: MIT
// lab handout: the tree that students get holds no right answer.
#include "grade/handout.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "grade/code.hpp"
#include "lab.hpp"
#include "support/contains.hpp"
#include "temporary_folder.hpp"

namespace {

namespace files = std::filesystem;

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> all;
  for (const auto& entry : files::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) all.push_back(entry.path());
  }
  return all;
}

}  // namespace

TEST_CASE("a marked part of three lines or more is found, whatever its names, white space and comments") {
  const std::string solution =
      "a;\n  // <solution>\n  int x = 1;\n\n  // why\n  if (x > 0) {\n    y += x;\n  }\n  // </solution>\n"
      "// <solution>\nshort;\n// </solution> return {1, 1};\n";
  const std::vector<std::string> parts = grade::marked_parts(solution);
  REQUIRE(parts.size() == 1);
  CHECK(parts.front() == "  int x = 1;\n\n  // why\n  if (x > 0) {\n    y += x;\n  }\n");
  CHECK(grade::marked_parts(solution, 1).size() == 2);
  grade::Parts searched;
  CHECK_FALSE(searched.any_in(parts.front()));
  searched.add("nothing of this;");
  searched.add(parts.front());
  CHECK(searched.any_in("begin int b=1;if(b/* comment */>0){c+=b;} end"));
  CHECK_FALSE(searched.any_in("begin int b=1;if(c>0){c+=b;} end"));
  CHECK_FALSE(searched.any_in("begin int b=2;if(b>0){c+=b;} end"));
  CHECK_FALSE(searched.any_in("begin int b=1;if(b>0){c+=b;"));
  CHECK(grade::code_of("int x; // y\nx") == grade::code_of("int z;z"));
  CHECK(grade::code_of("int x; x") != grade::code_of("int x; y"));
}

TEST_CASE("a document is handed out without comments, lines of solutions, and what is about solutions") {
  grade::SolutionLines lines;
  lines.add_all_of(
      "  values[left] = position < length ? data[position] : zero;\n  if (position < length) {\n");
  CHECK(
      grade::document_for_students(
          "# Title\n\nProse of `solutions/` stays.\n\n<!-- sh\nsed solutions/a.cu\n-->\n```console\n"
          "$ build/lab run 02 --solution --length 1M\n"
          "     20 |   values[left]  =  position<length ? data[position] : zero; // why\n        |   ^\n"
          "     21 |   if (position < length) {\nvalues[left] = position < length ? data[other] : zero;\n\n\n"
          "ncu build/solutions/04/histogram.gpu\n<!-- no comment -->\n```\n\n<!-- solutions -->\n"
          "Look into `solutions/`:\n\n```sh\nlab run --solution\n```\n\n<!-- /solutions -->\n\nThe end.\n",
          lines) ==
      "# Title\n\nProse of `solutions/` stays.\n\n```console\n$ build/lab run 02 --length 1M\n"
      "     20 | ...\n        |   ^\n     21 |   if (position < length) {\n"
      "values[left] = position < length ? data[other] : zero;\n\n\nncu build/labs/04/histogram.gpu\n"
      "<!-- no comment -->\n```\n\nThe end.\n");
}

TEST_CASE("the tree that is handed out holds no part of a solution, and all that is needed to build" *
          doctest::test_suite("long")) {
  if (!workbook::here().has_solutions) {
    MESSAGE("left out: this tree has no solutions/");
    return;
  }
  TemporaryFolder folder;
  const std::string tree = folder.path() + "/students";
  const LabResult result = lab({"handout", tree});
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  grade::Parts parts;
  std::size_t part_count = 0;
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    const std::string solution = text_of(workbook::here().source_file(exercise, workbook::Tree::solution));
    for (const std::string& part : grade::marked_parts(solution)) {
      parts.add(part);
      ++part_count;
    }
    // The search finds what there is to be found.
    CHECK(text_of(tree + "/labs/" + exercise.lab + "/" + exercise.file) ==
          workbook::here().skeleton(exercise));
    CHECK(text_of(tree + "/labs/" + exercise.lab + "/.skeleton/" + exercise.file) ==
          workbook::here().skeleton(exercise));
    CHECK(files::exists(tree + "/labs/" + exercise.lab + "/README.md"));
  }
  REQUIRE(part_count >= 7);
  for (const std::string& file : files_below(tree)) {
    CHECK_MESSAGE(!parts.any_in(text_of(file)), file);
    CHECK_FALSE(contains(file, "/variants/"));
  }
  // Nor does a document quote a line of one.
  grade::SolutionLines lines;
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    const std::string solution = text_of(workbook::here().source_file(exercise, workbook::Tree::solution));
    for (const std::string& part : grade::marked_parts(solution, 1)) lines.add_all_of(part);
  }
  const auto quoted = [&](const std::string& file) {
    std::istringstream document(text_of(file));
    std::vector<std::string> found;
    for (std::string line; std::getline(document, line);) {
      const std::size_t bar = line.find(" | ");
      if (lines.holds(line) || (bar != line.npos && lines.holds(line.substr(bar + 3)))) found.push_back(line);
    }
    return found;
  };
  const std::string transcript = "/docs/ten-minutes-x1.md";
  CHECK(quoted(workbook::here().source_root + transcript).size() == 2);
  CHECK(contains(text_of(tree + transcript), "\n     20 | ...\n"));
  std::vector<std::string> read_by_students{"README.md", "docs/students.md", "docs/ten-minutes.md",
                                            "docs/ten-minutes-x1.md"};
  for (const std::string& file : files_below(tree)) {
    if (file.ends_with(".md")) CHECK_MESSAGE(quoted(file).empty(), file);
    if (file.ends_with("/README.md")) read_by_students.push_back(file.substr(tree.size() + 1));
  }
  // What students read says nothing of what their tree lacks.
  for (const std::string& name : read_by_students) {
    const std::string document = text_of(tree + "/" + name);
    CAPTURE(name);
    CHECK_FALSE(contains(document, "solutions/"));
    CHECK_FALSE(contains(document, "`solutions`"));
    CHECK_FALSE(contains(document, "--solution"));
    CHECK_FALSE(contains(document, "<!--"));
  }
  for (const char* name : {"solutions", ".git", "tests/submissions", "tests/judge", "build"})
    CHECK_FALSE(files::exists(tree + "/" + name));
  // Nothing that the build needs was taken for an answer.
  for (const std::string& file : files_below(workbook::here().source_root + "/common"))
    CHECK_MESSAGE(files::exists(tree + "/common/" + file.substr(workbook::here().source_root.size() + 8)),
                  file);
}

TEST_CASE("a folder with something in it, or in the tree itself, is refused") {
  TemporaryFolder folder;
  folder.write("precious", "");
  const LabResult filled = lab({"handout", folder.path()});
  CHECK(filled.code == 2);
  CHECK(contains(filled.err, "is not empty"));
  const LabResult inside = lab({"handout", workbook::here().source_root + "/students"});
  CHECK(inside.code == 2);
  CHECK(contains(inside.err, "lies in the tree that is handed out"));
  CHECK_FALSE(files::exists(workbook::here().source_root + "/students"));
}
