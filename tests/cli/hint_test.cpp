// SPDX-License-Identifier: MIT
#include <fstream>
#include <sstream>

#include "cli/hints.hpp"
#include "kept_progress.hpp"
#include "lab.hpp"
#include "temporary_folder.hpp"

namespace {

std::vector<std::string> hints_in(const std::string& text) {
  std::istringstream stream(text);
  return cli::read_hints(stream);
}

}  // namespace

TEST_CASE("hints are the paragraphs between lines of three dashes") {
  CHECK(hints_in("one\n---\ntwo\nlines\n\nand more\n---\nthree") ==
        std::vector<std::string>{"one", "two\nlines\n\nand more", "three"});
}

TEST_CASE("empty hints, and blank lines around a hint, are left out") {
  CHECK(hints_in("---\n\n\none\n\n---\n\n---\n---\ntwo\n---\n") == std::vector<std::string>{"one", "two"});
  CHECK(hints_in("").empty());
  CHECK(hints_in("---\n---\n").empty());
}

TEST_CASE("only a whole line of three dashes divides") {
  CHECK(hints_in("a --- b\n----\n --- \nc\n") == std::vector<std::string>{"a --- b\n----\n --- \nc"});
}

TEST_CASE("every exercise has hints") {
  for (const judge::ExerciseInfo& exercise : judge::workbook().exercises) {
    CAPTURE(exercise.lab);
    CAPTURE(exercise.name);
    CHECK(hints_in(text_of(judge::workbook().lab_file(exercise, exercise.name + ".hints.md"))).size() >= 3);
  }
}

TEST_CASE("hints come one at a time, and from the first again when that is asked for") {
  const KeptProgress kept;
  const judge::ExerciseInfo exercise = judge::workbook().find("05/interleaved").at(0);
  const std::vector<std::string> hints =
      hints_in(text_of(judge::workbook().lab_file(exercise, exercise.name + ".hints.md")));
  const std::string count = std::to_string(hints.size());
  for (std::size_t i = 0; i < hints.size(); ++i) {
    const LabResult result =
        i == 0 ? lab({"hint", "05/interleaved", "--again"}) : lab({"hint", "interleaved"});
    CHECK(result.code == 0);
    CHECK(result.out == "hint " + std::to_string(i + 1) + " of " + count + "\n" + hints[i] + "\n");
  }
  const LabResult after = lab({"hint", "05/interleaved"});
  CHECK(after.code == 0);
  CHECK(after.out ==
        "All " + count + " hints were shown; from the first again: lab hint 05/interleaved --again\n");
  CHECK(lab({"hint", "05/interleaved", "--again"}).out == "hint 1 of " + count + "\n" + hints[0] + "\n");
}

TEST_CASE("each exercise has its own count of hints") {
  const KeptProgress kept;
  const std::string first = lab({"hint", "02", "--again"}).out;
  lab({"hint", "03", "--again"});
  lab({"hint", "03"});
  CHECK(lab({"hint", "02"}).out.rfind("hint 2 of ", 0) == 0);
  CHECK(lab({"hint", "02", "--again"}).out == first);
}
