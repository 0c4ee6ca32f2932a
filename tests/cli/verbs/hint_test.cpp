// SPDX-License-Identifier: MIT
#include <fstream>

#include "cli/progress.hpp"
#include "cli/verbs/verbs.hpp"
#include "lab.hpp"
#include "report/terminal/screen.hpp"
#include "state_file.hpp"

namespace {

// A workbook in a folder of its own, with one exercise that has two hints.
struct Hinted {
  TemporaryFolder folder;
  workbook::Workbook workbook{};
  workbook::ExerciseInfo exercise{"04_shared_memory", "histogram", "histogram.cu", true, "histogram"};

  Hinted() {
    workbook.source_root = workbook.build_root = folder.path();
    workbook.labs_dir = folder.path() + "/labs";
    workbook.exercises = {exercise};
    folder.write("labs/04_shared_memory/.skeleton/histogram.cu", "skeleton");
    folder.write("labs/04_shared_memory/histogram.hints.md", "one\n---\ntwo\n");
  }
};

}  // namespace

TEST_CASE("hints are the paragraphs between lines of three dashes") {
  CHECK(cli::read_hints("one\n---\ntwo\nlines\n\nand more\n---\nthree") ==
        std::vector<std::string>{"one", "two\nlines\n\nand more", "three"});
}

TEST_CASE("empty hints, and blank lines around a hint, are left out") {
  CHECK(cli::read_hints("---\n\n\none\n\n---\n\n---\n---\ntwo\n---\n") ==
        std::vector<std::string>{"one", "two"});
  CHECK(cli::read_hints("").empty());
  CHECK(cli::read_hints("---\n---\n").empty());
}

TEST_CASE("only a whole line of three dashes divides") {
  CHECK(cli::read_hints("a --- b\n----\n --- \nc\n") == std::vector<std::string>{"a --- b\n----\n --- \nc"});
}

TEST_CASE("a terminal breaks a hint's lines itself, but for code") {
  const std::string hint =
      "A sentence that\ngoes on\nand ends.\n\nAnother:\n\n    int x = 1;\n    int y = 2;\n"
      "then\nthat.\n```\na;\nb;\n```\nafter\nit\n- one\n- two";
  CHECK(report::refilled(hint) ==
        "A sentence that goes on and ends.\n\nAnother:\n\n    int x = 1;\n    int y = 2;\n"
        "then that.\n```\na;\nb;\n```\nafter it\n- one\n- two");
  const Hinted here;
  here.folder.write("labs/04_shared_memory/histogram.hints.md", "one\nand more\n---\ntwo\n");
  CHECK(cli::next_hint(here.workbook, here.exercise, true, true) == "hint 1 of 2\none and more\n");
  CHECK(cli::next_hint(here.workbook, here.exercise, true) == "hint 1 of 2\none\nand more\n");
}

TEST_CASE("every exercise has hints") {
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    CAPTURE(exercise.lab);
    CAPTURE(exercise.name);
    CHECK(cli::read_hints(text_of(workbook::here().lab_file(exercise, exercise.name + ".hints.md"))).size() >=
          3);
  }
}

TEST_CASE("hints come one at a time, and from the first again when that is asked for") {
  const StateFile kept("progress.json");
  const workbook::ExerciseInfo exercise = workbook::here().find("05/interleaved").at(0);
  const std::vector<std::string> hints =
      cli::read_hints(text_of(workbook::here().lab_file(exercise, exercise.name + ".hints.md")));
  const std::string count = std::to_string(hints.size());
  for (std::size_t i = 0; i < hints.size(); ++i) {
    const LabResult result =
        i == 0 ? lab({"hint", "05/interleaved", "--again"}) : lab({"hint", "interleaved"});
    CHECK(result.code == 0);
    CHECK(result.out == "hint " + std::to_string(i + 1) + " of " + count + "\n" + hints[i] + "\n");
  }
  const LabResult after = lab({"hint", "05/interleaved"});
  CHECK(after.code == 0);
  CHECK(after.out == "hint " + count + " of " + count +
                         ", the last; from the first again: lab hint 05/interleaved --again\n" +
                         hints.back() + "\n");
  CHECK(lab({"hint", "05/interleaved", "--again"}).out == "hint 1 of " + count + "\n" + hints[0] + "\n");
}

TEST_CASE("each exercise has its own count of hints") {
  const StateFile kept("progress.json");
  const std::string first = lab({"hint", "02", "--again"}).out;
  lab({"hint", "03", "--again"});
  lab({"hint", "03"});
  CHECK(lab({"hint", "02"}).out.rfind("hint 2 of ", 0) == 0);
  CHECK(lab({"hint", "02", "--again"}).out == first);
}

TEST_CASE("after pass, a hint says so, and comes all the same") {
  const Hinted hinted;
  const std::string file = hinted.folder.write("labs/04_shared_memory/histogram.cu", "solved");
  const auto judged = [&](const std::string& verdict) {
    cli::Progress::change(hinted.workbook, hinted.exercise, [&](cli::ExerciseProgress& entry) {
      entry.verdict = verdict;
      entry.fingerprint = cli::fingerprint_of(file);
    });
  };
  const auto hint = [&](bool again) { return cli::next_hint(hinted.workbook, hinted.exercise, again); };
  judged("pass");
  CHECK(hint(false) == "lab 04 has passed\nhint 1 of 2\none\n");
  CHECK(hint(false) == "lab 04 has passed\nhint 2 of 2\ntwo\n");
  CHECK(hint(false) ==
        "lab 04 has passed\nhint 2 of 2, the last; from the first again: lab hint 04 --again\ntwo\n");
  CHECK(hint(true) == "lab 04 has passed\nhint 1 of 2\none\n");
  judged("race");
  CHECK(hint(false) == "hint 2 of 2\ntwo\n");
}
