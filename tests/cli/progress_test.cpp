// SPDX-License-Identifier: MIT
#include "cli/progress.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "temporary_folder.hpp"

using cli::BestTime;
using cli::ExerciseProgress;
using cli::Progress;
using cli::State;

namespace {

// A workbook in a folder of its own, with one exercise whose skeleton is "skeleton".
struct Example {
  TemporaryFolder folder;
  workbook::Workbook workbook{};
  workbook::ExerciseInfo exercise{"04_shared_memory", "histogram", "histogram.cu", true, "histogram"};

  Example() {
    workbook.source_root = workbook.build_root = folder.path();
    workbook.labs_dir = folder.path() + "/labs";
    folder.write("labs/04_shared_memory/.skeleton/histogram.cu", "skeleton");
  }

  void change(const std::function<void(ExerciseProgress&)>& edit) const {
    Progress::change(workbook, exercise, edit);
  }

  std::string student(const std::string& text) const {
    return folder.write("labs/04_shared_memory/histogram.cu", text);
  }
};

}  // namespace

TEST_CASE("progress is remembered from run to run") {
  const Example example;
  Progress progress = Progress::load(example.workbook);
  CHECK(progress.of(example.exercise).attempts == 0);
  CHECK_FALSE(progress.of(example.exercise).best);
  example.change([](ExerciseProgress& entry) {
    entry = {"race", "0123", 4, 2, BestTime{0.5, "gpu", "text", "letters4", 256}};
  });
  Progress again = Progress::load(example.workbook);
  const ExerciseProgress& entry = again.of(example.exercise);
  CHECK(entry.verdict == "race");
  CHECK(entry.fingerprint == "0123");
  CHECK(entry.attempts == 4);
  CHECK(entry.hints == 2);
  REQUIRE(entry.best);
  CHECK(entry.best->time_ms == 0.5);
  CHECK(entry.best->is_comparable({7, "gpu", "text", "letters4", 256}));
}

TEST_CASE("two programs that remember something at once lose nothing of each other's") {
  const Example example;
  constexpr unsigned programs = 4, changes = 25;
  for (unsigned i = 0; i < programs; ++i) {
    if (fork() != 0) continue;
    for (unsigned j = 0; j < changes; ++j) example.change([](ExerciseProgress& entry) { ++entry.attempts; });
    _exit(0);
  }
  for (unsigned i = 0; i < programs; ++i) wait(nullptr);
  CHECK(Progress::load(example.workbook).of(example.exercise).attempts == programs * changes);
  // Nothing is left beside it but the lock.
  unsigned left = 0;
  for (const auto& entry : std::filesystem::directory_iterator(example.folder.path()))
    left += entry.path().filename().string().starts_with("progress.json.");
  CHECK(left == 0);
}

TEST_CASE("of comparable times the shorter one is kept, of others the newer one") {
  ExerciseProgress entry;
  const BestTime first{2, "gpu", "text", "letters4", 256};
  BestTime slower = first, faster = first, elsewhere = first;
  slower.time_ms = 3;
  faster.time_ms = 1;
  elsewhere.time_ms = 9;
  elsewhere.length = 512;
  entry.consider(first);
  entry.consider(slower);
  CHECK(entry.best->time_ms == 2);
  entry.consider(faster);
  CHECK(entry.best->time_ms == 1);
  entry.consider(elsewhere);
  CHECK(entry.best->time_ms == 9);
}

TEST_CASE("a damaged file only means that nothing is remembered") {
  const Example example;
  for (const char* text : {"", "{", "[]", "7", R"({"04_shared_memory/histogram":3})",
                           R"({"04_shared_memory/histogram":{"attempts":"many"}})"}) {
    CAPTURE(text);
    example.folder.write("progress.json", text);
    Progress progress = Progress::load(example.workbook);
    CHECK(progress.of(example.exercise).attempts == 0);
    CHECK(progress.of(example.exercise).verdict.empty());
  }
}

TEST_CASE("what is damaged does not take the rest with it") {
  const Example example;
  example.folder.write(
      "progress.json",
      R"({"01_sequential/histogram":3,"04_shared_memory/histogram":{"verdict":"pass","attempts":2}})");
  Progress progress = Progress::load(example.workbook);
  CHECK(progress.of(example.exercise).verdict == "pass");
  CHECK(progress.of(example.exercise).attempts == 2);
  CHECK(progress.of(example.exercise).hints == 0);
}

TEST_CASE("where nothing can be written, nothing is remembered and nothing thrown") {
  Example example;
  example.workbook.build_root = "/nonexistent";
  bool called = false;
  CHECK_NOTHROW(example.change([&](ExerciseProgress&) { called = true; }));
  CHECK(called);
}

TEST_CASE("the state is that of the file as it is now") {
  const Example example;
  const auto state = [&](const ExerciseProgress& progress) {
    return state_of(example.workbook, example.exercise, progress);
  };
  CHECK(state({}) == State::missing);
  CHECK(state({.verdict = "pass", .fingerprint = ""}) == State::missing);
  const std::string file = example.student(" skeleton // begins\n");
  CHECK(state({}) == State::not_started);
  CHECK(state({.verdict = "pass", .fingerprint = cli::fingerprint_of(file)}) == State::not_started);
  example.student("solved");
  const std::string now = cli::fingerprint_of(file);
  CHECK(state({}) == State::changed);
  CHECK(state({.verdict = "pass", .fingerprint = "of another version"}) == State::changed);
  CHECK(state({.verdict = "pass", .fingerprint = now}) == State::passed);
  CHECK(state({.verdict = "race", .fingerprint = now}) == State::failing);
}

TEST_CASE("states have names, a failing exercise that of its verdict") {
  CHECK(cli::state_name(State::missing, {}) == "missing");
  CHECK(cli::state_name(State::not_started, {}) == "not started");
  CHECK(cli::state_name(State::changed, {}) == "changed since the last check");
  CHECK(cli::state_name(State::failing, {.verdict = "race"}) == "race");
  CHECK(cli::state_name(State::passed, {.verdict = "pass"}) == "passed");
}

TEST_CASE("the next exercise is the first that is not passed, or the next behind another") {
  Example example;
  const auto add = [&](const char* lab, bool passed) {
    const workbook::ExerciseInfo exercise{lab, "histogram", "histogram.cu", true, "histogram"};
    example.workbook.exercises.push_back(exercise);
    const std::string file = example.folder.write("labs/" + exercise.lab + "/histogram.cu", "text");
    if (passed)
      Progress::change(example.workbook, exercise, [&](ExerciseProgress& entry) {
        entry = {"pass", cli::fingerprint_of(file)};
      });
  };
  add("01_a", true);
  add("02_b", false);
  add("03_c", true);
  add("04_d", false);
  const auto& all = example.workbook.exercises;
  const auto next = [&](const workbook::ExerciseInfo* after) {
    return cli::next_exercise(example.workbook, after).value_or(workbook::ExerciseInfo{}).lab;
  };
  CHECK(next(nullptr) == "02_b");
  CHECK(next(&all[0]) == "02_b");
  CHECK(next(&all[1]) == "04_d");
  CHECK(next(&all[3]) == "02_b");
  Progress::change(example.workbook, all[1], [&](ExerciseProgress& entry) {
    entry = {"pass", cli::fingerprint_of(example.workbook.source_file(all[1], workbook::Tree::student))};
  });
  CHECK(next(&all[1]) == "04_d");
  CHECK(next(&all[3]) == "");
}

TEST_CASE("a fingerprint tells versions apart, and is empty for what cannot be read") {
  const TemporaryFolder folder;
  const std::string a = cli::fingerprint_of(folder.write("a", "text"));
  CHECK(a.size() == 16);
  CHECK(a == cli::fingerprint_of(folder.write("b", "text")));
  CHECK(a != cli::fingerprint_of(folder.write("c", "texu")));
  CHECK(cli::fingerprint_of(folder.write("empty", "")) == "cbf29ce484222325");  // FNV-1a's offset basis
  CHECK(cli::fingerprint_of(folder.path() + "/missing").empty());
  CHECK(cli::fingerprint_of(folder.path()).empty());  // a folder
}
