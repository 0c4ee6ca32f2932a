// SPDX-License-Identifier: MIT
#include "workbook/workbook.hpp"

#include <doctest/doctest.h>

namespace {

workbook::Workbook example() {
  workbook::Workbook workbook{};
  workbook.source_root = "/src/book";
  workbook.build_root = "/tmp/build";
  workbook.labs_dir = "/home/student/labs";
  workbook.exercises = {{"04_shared_memory", "histogram", "histogram.cu", true, "histogram"},
                        {"05_coarsening", "contiguous", "contiguous.cu", true},
                        {"05_coarsening", "interleaved", "interleaved.cu", true},
                        {"x1_reduction", "histogram", "histogram.cu", true, "histogram"}};
  return workbook;
}

// What `name` finds, as "lab/exercise lab/exercise".
std::string found(const workbook::Workbook& workbook, std::string_view name) {
  std::string all;
  for (const workbook::ExerciseInfo& exercise : workbook.find(name)) {
    all += (all.empty() ? "" : " ") + exercise.lab + "/" + exercise.name;
  }
  return all;
}

}  // namespace

TEST_CASE("a lab is found by its number, its name, or a part of it that no other lab has") {
  const workbook::Workbook workbook = example();
  for (const std::string_view name :
       {"04", "4", "0004", "04_shared_memory", "shared", "04/histogram", "shared/"}) {
    CAPTURE(name);
    CHECK(found(workbook, name) == "04_shared_memory/histogram");
  }
  CHECK(found(workbook, "x1") == "x1_reduction/histogram");
}

TEST_CASE("a lab with two exercises gives both, and one where it is said") {
  const workbook::Workbook workbook = example();
  for (const std::string_view name : {"05", "5", "coarsening", "05/"}) {
    CAPTURE(name);
    CHECK(found(workbook, name) == "05_coarsening/contiguous 05_coarsening/interleaved");
  }
  for (const std::string_view name :
       {"05/interleaved", "05/inter", "5/int", "coarse/interleaved", "interleaved"}) {
    CAPTURE(name);
    CHECK(found(workbook, name) == "05_coarsening/interleaved");
  }
  CHECK(found(workbook, "05/contiguous") == "05_coarsening/contiguous");
}

TEST_CASE("nothing is found where nothing or more than one lab is meant") {
  const workbook::Workbook workbook = example();
  for (const std::string_view name : {"nope", "", "/", "/interleaved", "04/nope", "1", "45", "histogram", "o",
                                      "_", "05/interleaved/x", " 04"}) {
    CAPTURE(name);
    CHECK(found(workbook, name).empty());
  }
}

TEST_CASE("a short name is the lab's number, with the exercise where there are several") {
  const workbook::Workbook workbook = example();
  CHECK(workbook.short_name(workbook.exercises[0]) == "04");
  CHECK(workbook.short_name(workbook.exercises[1]) == "05/contiguous");
  CHECK(workbook.short_name(workbook.exercises[3]) == "x1");
  CHECK(workbook.is_only_one(workbook.exercises[0]));
  CHECK_FALSE(workbook.is_only_one(workbook.exercises[2]));
}

TEST_CASE(
    "variants are found by what is behind the slash, where no exercise is meant, and keep their names") {
  workbook::Workbook workbook = example();
  workbook::ExerciseInfo runtime = workbook.exercises[0], four = workbook.exercises[1], eight = four;
  runtime.name = "histogram-runtime_bins";
  four.name = "contiguous-c4";
  eight.name = "contiguous-c4_once";
  workbook.variants = {runtime, four, eight};
  const auto names = [&](std::string_view name) {
    std::string all;
    for (const workbook::ExerciseInfo& one : workbook.find_with_variants(name))
      all += (all.empty() ? "" : " ") + workbook.short_name(one);
    return all;
  };
  CHECK(names("04/runtime") == "04/histogram-runtime_bins");
  CHECK(names("5/contiguous-c4") == "05/contiguous-c4");
  CHECK(names("05/c4") == "05/contiguous-c4 05/contiguous-c4_once");
  CHECK(names("05/contiguous") == "05/contiguous");
  CHECK(names("04") == "04");
  CHECK(names("contiguous-c4") == "");
  CHECK(names("05/runtime") == "");
  // Verbs that change or hand out a student's file know none.
  CHECK(found(workbook, "05/contiguous-c4").empty());
  CHECK(workbook.variants_of(workbook.exercises[1]).size() == 2);
  CHECK(workbook.variants_of(workbook.exercises[2]).empty());
  CHECK(four.is_variant());
  CHECK(four.exercise_name() == "contiguous");
  CHECK_FALSE(workbook.exercises[1].is_variant());
}

TEST_CASE("paths below the source root are shown without it, others as they are") {
  const workbook::Workbook workbook = example();
  CHECK(workbook.shortened("/src/book/labs/04/histogram.cu") == "labs/04/histogram.cu");
  CHECK(workbook.shortened("/src/bookshelf/labs") == "/src/bookshelf/labs");
  CHECK(workbook.shortened("/home/student/labs/04/histogram.cu") == "/home/student/labs/04/histogram.cu");
  CHECK(workbook.shortened("/src/book") == "/src/book");
  CHECK(workbook.shortened("").empty());
}

TEST_CASE("sources, skeletons, chapters and runners lie where the documents say") {
  const workbook::Workbook workbook = example();
  const workbook::ExerciseInfo& exercise = workbook.exercises[2];
  using facts::Backend, workbook::Tree;
  CHECK(workbook.source_file(exercise, Tree::student) == "/home/student/labs/05_coarsening/interleaved.cu");
  CHECK(workbook.source_file(exercise, Tree::solution) == "/src/book/solutions/05_coarsening/interleaved.cu");
  CHECK(workbook.kept_skeleton(exercise) == "/src/book/labs/05_coarsening/.skeleton/interleaved.cu");
  CHECK(workbook.lab_file(exercise, "README.md") == "/src/book/labs/05_coarsening/README.md");
  CHECK(workbook.runner(exercise, Tree::student, Backend::sim) ==
        "/tmp/build/labs/05_coarsening/interleaved.sim");
  CHECK(workbook.runner(exercise, Tree::student, Backend::gpu) ==
        "/tmp/build/labs/05_coarsening/interleaved.gpu");
  CHECK(workbook.runner(exercise, Tree::solution, Backend::cpu) ==
        "/tmp/build/solutions/05_coarsening/interleaved.cpu");
}

TEST_CASE("the workbook of this build has the course's seven exercises, the first on the CPU, in order") {
  const workbook::Workbook& workbook = workbook::here();
  std::string names;
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    names += (exercise.launched ? " " : " cpu:") + workbook.short_name(exercise);
    CHECK(workbook.find(workbook.short_name(exercise)).size() == 1);
  }
  CHECK(names.rfind(" cpu:01 02 03 04 05/contiguous 05/interleaved 06", 0) == 0);
}

TEST_CASE("a backend is found by its name") {
  for (const facts::Backend backend : {facts::Backend::sim, facts::Backend::gpu, facts::Backend::cpu}) {
    CHECK(facts::find_backend(name_of(backend)) == backend);
  }
  CHECK_FALSE(facts::find_backend("tpu").has_value());
}
