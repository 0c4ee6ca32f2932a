// SPDX-License-Identifier: MIT
#include "cli/progress.hpp"

#include <doctest/doctest.h>

#include "temporary_folder.hpp"

using cli::ExerciseProgress;
using cli::Progress;
using cli::State;

namespace {

// A workbook in a folder of its own, with one exercise whose skeleton is "skeleton".
struct Example {
  TemporaryFolder folder;
  judge::Workbook workbook{};
  judge::ExerciseInfo exercise{"04_shared_memory", "histogram", "histogram.cu", true};

  Example() {
    workbook.source_root = workbook.build_root = folder.path();
    workbook.labs_dir = folder.path() + "/labs";
    folder.write("common/exercise/skeletons/04_shared_memory/histogram.cu", "skeleton");
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
  progress.of(example.exercise) = {"race", "0123", 4, 2};
  progress.save();
  Progress again = Progress::load(example.workbook);
  const ExerciseProgress& entry = again.of(example.exercise);
  CHECK(entry.verdict == "race");
  CHECK(entry.fingerprint == "0123");
  CHECK(entry.attempts == 4);
  CHECK(entry.hints == 2);
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
  Progress progress = Progress::load(example.workbook);
  progress.of(example.exercise).attempts = 1;
  CHECK_NOTHROW(progress.save());
}

TEST_CASE("the state is that of the file as it is now") {
  const Example example;
  const auto state = [&](const ExerciseProgress& progress) {
    return state_of(example.workbook, example.exercise, progress);
  };
  const std::string file = example.student(" skel eton\n");
  CHECK(state({}) == State::not_started);
  CHECK(state({.verdict = "pass", .fingerprint = cli::fingerprint_of(file)}) == State::not_started);
  example.student("solved");
  const std::string now = cli::fingerprint_of(file);
  CHECK(state({}) == State::changed);
  CHECK(state({.verdict = "pass", .fingerprint = "of another version"}) == State::changed);
  CHECK(state({.verdict = "pass", .fingerprint = now}) == State::passed);
  CHECK(state({.verdict = "race", .fingerprint = now}) == State::failing);
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
