// SPDX-License-Identifier: MIT
#include "workbook/manifest.hpp"

#include <doctest/doctest.h>

#include "facts/errors.hpp"
#include "temporary_folder.hpp"

using workbook::ExerciseInfo;

namespace {

const std::string least =
    "title=two kernels\nproblem=histogram\nexercises=first.cu second.cu\nentry=kernel\n";

// A source tree with one problem, its entries, and labs as the tests write them.
struct LabsFolder {
  TemporaryFolder folder;

  LabsFolder() {
    folder.write("common/problems/histogram/unit/kernel_entry.hpp", "");
    folder.write("common/problems/histogram/unit/sequential_entry.hpp", "");
    folder.write("common/problems/meson.build", "");
  }

  std::vector<ExerciseInfo> read(const std::string& manifest) const {
    folder.write("labs/07_sorting/lab.manifest", manifest);
    return workbook::read_manifests(folder.path());
  }

  std::string error_of(const std::string& manifest) const {
    try {
      read(manifest);
    } catch (const facts::MachineError& error) {
      return error.what();
    }
    return "no error";
  }
};

std::string rules_of(const ExerciseInfo& exercise) {
  std::string text;
  for (const problems::Rule& rule : exercise.technique) {
    text += (text.empty() ? "" : " ") + rule.name;
    for (const std::uint64_t parameter : rule.parameters) text += ":" + std::to_string(parameter);
  }
  return text;
}

}  // namespace

TEST_CASE("a manifest describes each of its exercises in their order") {
  const auto exercises = LabsFolder().read(
      "# a comment\n"
      "title=sort, then count\n"
      "problem = histogram\n"
      "exercises=second.cu first.cpp # in this order\n"
      "\n"
      "entry=kernel\n"
      "output=one_per_block\n"
      "sweeps=block grid\n"
      "technique=shared_memory coarsening(2)\n");
  REQUIRE(exercises.size() == 2);
  CHECK(exercises[0].lab == "07_sorting");
  CHECK(exercises[0].name == "second");
  CHECK(exercises[0].file == "second.cu");
  CHECK(exercises[0].launched);
  CHECK(exercises[0].title == "sort, then count");
  CHECK(exercises[0].problem == "histogram");
  CHECK(exercises[0].entry == "kernel");
  CHECK(exercises[0].output == "one_per_block");
  CHECK(exercises[0].sweeps == std::vector<std::string>{"block", "grid"});
  CHECK(rules_of(exercises[0]) == "shared_memory coarsening:2");
  CHECK(exercises[1].file == "first.cpp");
}

TEST_CASE("words for one exercise are added to the lab's lists, and take the place of single values") {
  const auto exercises =
      LabsFolder().read(least +
                        "technique=shared_memory\ntechnique.second=limits(1,20)\nsweeps.second=grid\n"
                        "entry.first=sequential\noutput.second=one_per_block\ntitle.first=alone\n");
  REQUIRE(exercises.size() == 2);
  CHECK(rules_of(exercises[0]) == "shared_memory");
  CHECK(rules_of(exercises[1]) == "shared_memory limits:1:20");
  CHECK(exercises[0].sweeps.empty());
  CHECK(exercises[1].sweeps == std::vector<std::string>{"grid"});
  CHECK_FALSE(exercises[0].launched);
  CHECK(exercises[1].launched);
  CHECK(exercises[0].output == "one");
  CHECK(exercises[1].output == "one_per_block");
  CHECK(exercises[0].title == "alone");
  CHECK(exercises[1].title == "two kernels");
}

TEST_CASE("an error in a manifest names file and line, what is wrong and what would be right") {
  const LabsFolder tree;
  const std::string at = "labs/07_sorting/lab.manifest:";
  CHECK(tree.error_of(least) == "no error");
  CHECK(tree.error_of("title=x\nproblem=histogram\nentry=kernel\n") ==
        at + " a line \"exercises=...\" is missing");
  CHECK(tree.error_of(least + "swepes=block\n") ==
        at + "5: unknown key \"swepes\"; the keys are title, problem, exercises, entry, output, sweeps, "
             "technique");
  CHECK(tree.error_of(least + "exercises.first=first.cu\n") ==
        at + "5: unknown key \"exercises.first\"; the keys are title, problem, exercises, entry, output, "
             "sweeps, "
             "technique");
  CHECK(tree.error_of(least + "just words\n") == at + "5: expected KEY=VALUE, got \"just words\"");
  CHECK(tree.error_of(least + "entry=kernel\n") == at + "5: \"entry\" is in line 4 already");
  CHECK(tree.error_of(least + "output=two\n") ==
        at + "5: unknown output \"two\"; expected one of one, one_per_block");
  CHECK(tree.error_of(least + "problem.first=sorting\n") ==
        at + "5: unknown problem \"sorting\"; expected one of histogram");
  CHECK(tree.error_of(least + "entry.first=cooperative\n") ==
        at + "5: unknown entry \"cooperative\"; expected one of kernel, sequential");
  CHECK(tree.error_of(least + "technique.third=shared_memory\n") ==
        at + "5: \"technique.third\" is for an exercise that this lab does not have; it has first, second");
  for (const std::string word : {"a(", "a()", "a(1", "a(x)", "a(1,)", "A", "(1)"}) {
    CHECK(tree.error_of(least + "technique=" + word + "\n") ==
          at + "5: \"" + word + "\" is not a rule; expected NAME or NAME(NUMBER,...) without blanks");
  }
  CHECK(tree.error_of(least + "technique=a(99999999999999999999)\n") ==
        at + "5: 99999999999999999999 is too large in \"a(99999999999999999999)\"");
  CHECK(tree.error_of("title=x\nproblem=histogram\nentry=kernel\nexercises=../a.cu\n") ==
        at + "4: \"../a.cu\" is not a file of the form NAME.cu or NAME.cpp");
  CHECK(tree.error_of("title=x\nproblem=histogram\nentry=kernel\nexercises=\n") ==
        at + "4: at least one file is needed, such as histogram.cu");
}

TEST_CASE("labs are the folders with a manifest, in the order of their names, extra labs last") {
  const LabsFolder tree;
  tree.folder.write("labs/x1_reduction/lab.manifest", least);
  tree.folder.write("labs/02_atomics/lab.manifest", least);
  tree.folder.write("labs/03_draft/README.md", "");
  std::string labs;
  for (const ExerciseInfo& exercise : tree.read(least)) labs += exercise.lab + "/" + exercise.name + " ";
  CHECK(labs ==
        "02_atomics/first 02_atomics/second 07_sorting/first 07_sorting/second x1_reduction/first "
        "x1_reduction/second ");
  tree.folder.write("labs/07_again/lab.manifest", least);
  CHECK(tree.error_of(least) == "labs/07_again and labs/07_sorting have the same number; rename one");
}

TEST_CASE("a folder with a manifest and another kind of name is refused") {
  const LabsFolder tree;
  tree.folder.write("labs/Sorting/lab.manifest", least);
  CHECK(tree.error_of(least) ==
        "labs/Sorting: a lab's folder is named NN_topic, such as 07_sorting, or xN_topic for an extra lab");
}

TEST_CASE("variants are the kernels in a folder of the solutions, each with its exercise's manifest") {
  const LabsFolder tree;
  tree.folder.write("solutions/07_sorting/variants/second-of_four.cu", "");
  tree.folder.write("solutions/07_sorting/variants/first-c8.cu", "");
  tree.folder.write("solutions/07_sorting/variants/first-c4.cu", "");
  tree.folder.write("solutions/07_sorting/variants/first.cuh", "");
  const std::vector<ExerciseInfo> exercises = tree.read(least);
  std::string all;
  for (const ExerciseInfo& variant : workbook::read_variants(tree.folder.path(), exercises)) {
    CHECK(variant.lab == "07_sorting");
    CHECK(variant.title == "two kernels");
    all += variant.name + " " + variant.file + " " + variant.exercise_name() + "\n";
  }
  CHECK(all ==
        "first-c4 variants/first-c4.cu first\n"
        "first-c8 variants/first-c8.cu first\n"
        "second-of_four variants/second-of_four.cu second\n");
  tree.folder.write("solutions/07_sorting/variants/third-c4.cu", "");
  std::string error;
  try {
    workbook::read_variants(tree.folder.path(), exercises);
  } catch (const facts::MachineError& fault) {
    error = fault.what();
  }
  CHECK(error ==
        "solutions/07_sorting/variants/third-c4.cu: a variant is called EXERCISE-NAME.cu after an exercise "
        "of its lab: first, "
        "second");
}

TEST_CASE("the six labs are what their chapters say") {
  std::string all;
  for (const ExerciseInfo& exercise : workbook::here().exercises) {
    if (exercise.lab[0] != '0' || exercise.lab[1] > '6') continue;
    all += exercise.lab.substr(0, 2) + "/" + exercise.name + " " + exercise.entry + " " + exercise.output +
           ", " + std::to_string(exercise.sweeps.size()) + " sweeps: " + rules_of(exercise) + "\n";
    CHECK(exercise.problem == "histogram");
    CHECK_FALSE(exercise.title.empty());
  }
  CHECK(all ==
        "01/histogram sequential one, 0 sweeps: \n"
        "02/histogram kernel one, 3 sweeps: global_atomics:1024 many_threads:256\n"
        "03/histogram kernel one_per_block, 3 sweeps: private_copies many_threads:256\n"
        "04/histogram kernel one, 3 sweeps: shared_memory many_threads:256\n"
        "05/contiguous kernel one, 5 sweeps: shared_memory coarsening:2 many_threads:256 contiguous\n"
        "05/interleaved kernel one, 5 sweeps: shared_memory coarsening:2 many_threads:256 coalesced\n"
        "06/histogram kernel one, 5 sweeps: shared_memory coarsening:2 many_threads:256 aggregation:8\n");
}
