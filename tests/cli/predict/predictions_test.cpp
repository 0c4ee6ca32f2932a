// SPDX-License-Identifier: MIT
#include "cli/predict/predictions.hpp"

#include <doctest/doctest.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include "facts/errors.hpp"
#include "temporary_folder.hpp"

using cli::Prediction;
using cli::Predictions;

namespace {

struct Remembering {
  TemporaryFolder folder;
  workbook::Workbook workbook{};
  const cli::Question question{.name = "atomics", .kind = cli::QuestionKind::factor};
  const cli::CountedRun run{
      {"03_privatization", "histogram", "histogram.cu", true, "histogram"}, "letters4", "letters", 1000};

  Remembering() { workbook.build_root = folder.path(); }

  Predictions load() const { return Predictions::load(workbook); }
  void change(const std::function<void(Predictions&)>& edit) const { Predictions::change(workbook, edit); }
};

}  // namespace

TEST_CASE("predictions, outcomes and counters are remembered from run to run") {
  const Remembering here;
  CHECK_FALSE(here.load().of("04", here.question));
  CHECK_FALSE(here.load().counted(here.run));
  const Prediction with_outcome{"0.5", "2026-11-20T17:00:00Z",
                                cli::Outcome{0.25, "b", 3, 12, true, "2026-11-20T18:00:00Z", 1001, 0}};
  here.change([&](Predictions& kept) {
    kept.set("04", "atomics", with_outcome);
    kept.set("05", "atomics", {"2", "2026-11-20T17:00:01Z"});
    kept.set_counted(here.run, {{{"warps", 7}}, 1001});
  });
  const Predictions again = here.load();
  CHECK(again.of("04", here.question) == with_outcome);
  CHECK(again.of("05", here.question) == Prediction{"2", "2026-11-20T17:00:01Z"});
  CHECK(again.counted(here.run) == cli::KeptCounters{{{"warps", 7}}, 1001});
  cli::CountedRun longer = here.run;
  longer.length = 1001;
  CHECK_FALSE(again.counted(longer));
}

TEST_CASE("programs that remember something at once lose nothing of each other's") {
  const Remembering here;
  constexpr int programs = 4, changes = 25;
  const auto lab = [](int program, int change) { return fmt::format("{} {}", program, change); };
  for (int i = 0; i < programs; ++i) {
    if (fork() != 0) continue;
    for (int j = 0; j < changes; ++j)
      here.change([&](Predictions& kept) { kept.set(lab(i, j), "atomics", {"2", ""}); });
    _exit(0);
  }
  for (int i = 0; i < programs; ++i) wait(nullptr);
  const Predictions kept = here.load();
  int remembered = 0;
  for (int i = 0; i < programs; ++i) {
    for (int j = 0; j < changes; ++j) remembered += kept.of(lab(i, j), here.question).has_value();
  }
  CHECK(remembered == programs * changes);
}

TEST_CASE("what cannot be changed stays as it was") {
  const Remembering here;
  here.change([](Predictions& kept) { kept.set("04", "atomics", {"2", ""}); });
  CHECK_THROWS_AS(here.change([](Predictions& kept) {
    kept.set("04", "atomics", {"3", ""});
    throw facts::MachineError("no more");
  }),
                  facts::MachineError);
  CHECK(here.load().of("04", here.question) == Prediction{"2", ""});
}

TEST_CASE("what is no answer to the question as it is now is not remembered") {
  const Remembering here;
  Predictions kept = here.load();
  kept.set("04", "atomics", {"b", "2026-11-20T17:00:00Z"});
  CHECK_FALSE(kept.of("04", here.question));
}

TEST_CASE("a damaged file is put aside, and nothing is remembered") {
  for (const char* text :
       {"", "{", "[]", "7", "{}", R"({"predictions": {}})", R"({"predictions": [], "counted": {}})",
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

TEST_CASE("a change of a damaged file puts it aside, and is remembered") {
  const Remembering here;
  const std::string file = here.folder.write("predictions.json", "{");
  here.change([](Predictions& kept) { kept.set("04", "atomics", {"2", ""}); });
  CHECK(here.load().of("04", here.question) == Prediction{"2", ""});
  CHECK(text_of(file + ".damaged") == "{");
}

TEST_CASE("where nothing can be written, saving says so and what was there stays") {
  Remembering here;
  here.workbook.build_root = "/nonexistent";
  CHECK_THROWS_WITH_AS(here.change([](Predictions&) {}),
                       "cannot write /nonexistent/predictions.json: No such file or directory",
                       facts::MachineError);
}
