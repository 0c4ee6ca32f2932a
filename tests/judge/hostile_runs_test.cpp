// SPDX-License-Identifier: MIT
// Files that try to get around the judge (hostile/*.cu), each judged by `lab check`'s own machinery on the
// simulator: the verdict is the one that stands on top of it ("// judged: VERDICT: WORDS" where it does not
// compile either, and so is a `build_error` first), and nothing outside of its runner's folder has
// changed, no file of the tree or of the harness, no process is left. Whatever such a file leaves behind has
// a name that begins with "workbook-hostile".
#include <doctest/doctest.h>

#include <chrono>
#include <set>

#include "hostile_files.hpp"
#include "judge/build.hpp"
#include "judge/check.hpp"
#include "traces.hpp"

namespace {

namespace files = std::filesystem;

// What a run gets in the sample; a launch may take nine tenths of it, as of the ten seconds that a run has.
constexpr std::chrono::milliseconds short_answer_time{2000};

std::string with_short_time(std::string expected) {
  const std::string usual = " still runs after 9 s";
  if (const std::size_t at = expected.find(usual); at != std::string::npos)
    expected.replace(at, usual.size(), " still runs after 1.8 s");
  return expected;
}

void check_file(const files::path& source, bool in_short_time) {
  CAPTURE(source.string());
  const workbook::Target target = target_of(source);
  const std::optional<facts::Finding> finding = judge::build_runner(workbook::here(), target);
  judge::RunnerSettings settings = judge::runner_settings(target);
  if (in_short_time) settings.answer_time = short_answer_time;
  const facts::Finding verdict =
      finding ? *finding
              : judge::check_runner(settings, target.exercise, target.backend, {.seed = 42}).finding;
  const std::string text = text_of(source), judged = line_behind(text, "judged");
  std::string expected = judged.empty() ? line_behind(text, "expected") : judged;
  if (in_short_time) expected = with_short_time(expected);
  const std::string other = line_behind(text, "or");
  const bool is_other = !other.empty() && is_as_expected(in_short(verdict), other);
  CHECK_MESSAGE((is_other || is_as_expected(in_short(verdict), expected)), in_short(verdict), " is not ",
                expected);
  CHECK(traces::processes_of(target.runner) == 0);
  CHECK(traces::leftovers() == std::set<std::string>{});
}

void check_files(const std::vector<files::path>& sources, bool in_short_time) {
  const traces::Tree before = traces::everything();
  CHECK(before.size() > 1000);
  for (const files::path& source : sources) check_file(source, in_short_time);
  traces::check_unchanged(before, traces::everything());
}

}  // namespace

TEST_CASE("the first hostile file of each verdict") {
  std::set<std::string> seen;
  std::vector<files::path> sample;
  for (const files::path& source : sources_in("hostile")) {
    const std::string text = text_of(source);
    const std::string expected =
        line_behind(text, line_behind(text, "judged").empty() ? "expected" : "judged");
    if (seen.insert(expected.substr(0, expected.find(':'))).second) sample.push_back(source);
  }
  CHECK(sample.size() >= 2);
  check_files(sample, true);
}

TEST_CASE("every hostile file" * doctest::skip()) {
  const std::vector<files::path> sources = sources_in("hostile");
  CHECK(sources.size() >= 60);
  check_files(sources, false);
}
