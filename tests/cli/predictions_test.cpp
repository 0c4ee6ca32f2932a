// SPDX-License-Identifier: MIT
#include "cli/predictions.hpp"

#include <doctest/doctest.h>

#include "cli/errors.hpp"
#include "temporary_folder.hpp"

using cli::Prediction;
using cli::Predictions;

namespace {

struct Remembering {
  TemporaryFolder folder;
  judge::Workbook workbook{};
  const cli::Question question{.name = "atomics", .kind = cli::QuestionKind::factor};
  const cli::CountedRun run{{"03_privatization", "histogram", "histogram.cu", true}, "letters4", "letters", 1000};

  Remembering() { workbook.build_root = folder.path(); }

  Predictions load() const { return Predictions::load(workbook); }
};

}  // namespace

TEST_CASE("predictions, outcomes and counters are remembered from run to run") {
  const Remembering here;
  Predictions first = here.load();
  CHECK_FALSE(first.of("04", here.question));
  CHECK_FALSE(first.counted(here.run));
  const Prediction with_outcome{"0.5", "2026-11-20T17:00:00Z", cli::Outcome{0.25, "b", 3, 12, true, "2026-11-20T18:00:00Z"}};
  first.set("04", "atomics", with_outcome);
  first.set("05", "atomics", {"2", "2026-11-20T17:00:01Z"});
  first.set_counted(here.run, {{"warps", 7}});
  first.save();
  const Predictions again = here.load();
  CHECK(again.of("04", here.question) == with_outcome);
  CHECK(again.of("05", here.question) == Prediction{"2", "2026-11-20T17:00:01Z"});
  CHECK(again.counted(here.run) == exercise::Counters{{"warps", 7}});
  cli::CountedRun longer = here.run;
  longer.length = 1001;
  CHECK_FALSE(again.counted(longer));
}

TEST_CASE("what is no answer to the question as it is now is not remembered") {
  const Remembering here;
  Predictions kept = here.load();
  kept.set("04", "atomics", {"b", "2026-11-20T17:00:00Z"});
  CHECK_FALSE(kept.of("04", here.question));
}

TEST_CASE("a damaged file is put aside, and nothing is remembered") {
  for (const char* text : {"", "{", "[]", "7", "{}", R"({"predictions": {}})", R"({"predictions": [], "counted": {}})",
                           R"({"predictions": {"04": {"atomics": 3}}, "counted": {}})",
                           R"({"predictions": {"04": {"atomics": {"answer": 1, "at": "", "outcome": null}}}, "counted": {}})",
                           R"({"predictions": {}, "counted": {"a": {"warps": "many"}}})"}) {
    CAPTURE(text);
    const Remembering here;
    const std::string file = here.folder.write("predictions.json", text);
    CHECK_FALSE(here.load().of("04", here.question));
    CHECK_FALSE(std::filesystem::exists(file));
    CHECK(text_of(file + ".damaged") == text);
  }
}

TEST_CASE("where nothing can be written, saving says so and what was there stays") {
  Remembering here;
  here.workbook.build_root = "/nonexistent";
  CHECK_THROWS_WITH_AS(here.load().save(), "cannot write /nonexistent/predictions.json: No such file or directory", cli::MachineError);
}

TEST_CASE("a time is told in UTC, to the second") {
  const std::string now = cli::time_now();
  REQUIRE(now.size() == 20);
  CHECK(now[10] == 'T');
  CHECK(now.back() == 'Z');
}
