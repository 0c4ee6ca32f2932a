// SPDX-License-Identifier: MIT
// Files that try to get around the judge (hostile/*.cu), each judged by `lab check`'s own machinery on the
// simulator and on a GPU: the verdict is the one that stands on top of it ("// judged: VERDICT: WORDS" where
// it does not compile either, and so is a `build_error` first; "// on a GPU: VERDICT: WORDS" where a GPU's is
// another; "// or: VERDICT: WORDS" and "// or on a GPU: ..." where either may come first), and nothing
// outside of its runner's folder has changed, no file of the tree or of the harness, no process is left.
// Whatever such a file leaves behind has a name that begins with "workbook-hostile".
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "build_runners.hpp"
#include "hostile_files.hpp"
#include "judge/build.hpp"
#include "judge/check.hpp"
#include "support/gpu.hpp"
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

// What the verdict has to be, by the lines on top of the file.
std::vector<std::string> expected_of(const std::string& text, facts::Backend backend) {
  const std::string on_gpu = line_behind(text, "on a GPU"), judged = line_behind(text, "judged");
  const std::string usual = line_behind(text, "expected"), other = line_behind(text, "or"),
                    other_on_gpu = line_behind(text, "or on a GPU");
  std::vector<std::string> expected = {usual};
  if (backend == facts::Backend::gpu && !on_gpu.empty()) expected = {on_gpu};
  if (backend == facts::Backend::sim && !judged.empty()) expected = {judged};
  if (!other.empty()) expected.push_back(other);
  if (backend == facts::Backend::gpu && !other_on_gpu.empty()) expected.push_back(other_on_gpu);
  return expected;
}

// Judges the file, whose runner has been made, or could not be, for the reason in `unmade`.
void check_file(const workbook::Target& target, const std::optional<facts::Finding>& unmade,
                bool in_short_time) {
  CAPTURE(target.source);
  judge::RunnerSettings settings = judge::runner_settings(target);
  if (in_short_time) settings.answer_time = short_answer_time;
  const facts::Finding verdict =
      unmade ? *unmade : judge::check_runner(settings, target.exercise, target.backend, {.seed = 42}).finding;
  std::vector<std::string> expected = expected_of(text_of(target.source), target.backend);
  if (in_short_time) std::transform(expected.begin(), expected.end(), expected.begin(), with_short_time);
  const bool is_expected = std::any_of(expected.begin(), expected.end(), [&](const std::string& words) {
    return is_as_expected(in_short(verdict), words);
  });
  CHECK_MESSAGE(is_expected, in_short(verdict), " is not ", expected.front());
  CHECK(traces::processes_of(target.runner) == 0);
  CHECK(traces::leftovers() == std::set<std::string>{});
}

void check_files(const std::vector<files::path>& sources, bool in_short_time) {
  const traces::Tree before = traces::everything();
  CHECK(before.size() > 1000);
  for (const files::path& source : sources) {
    const workbook::Target target = target_of(source, facts::Backend::sim);
    check_file(target, judge::build_runner(workbook::here(), target), in_short_time);
  }
  traces::check_unchanged(before, traces::everything());
}

// As nvcc takes long, all are made before the first is judged, as many at a time as there are cores.
void check_files_on_gpu(const std::vector<files::path>& sources) {
  const traces::Tree before = traces::everything();
  std::vector<workbook::Target> targets;
  for (const files::path& source : sources) targets.push_back(target_of(source, facts::Backend::gpu));
  const std::vector<std::optional<facts::Finding>> unmade = build_runners(targets);
  for (std::size_t i = 0; i < targets.size(); ++i) check_file(targets[i], unmade[i], false);
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

TEST_CASE("the hostile files on a GPU" * doctest::skip()) {
  skip_without_gpu();
  const std::vector<files::path> sources = sources_in("hostile");
  CHECK(sources.size() >= 60);
  check_files_on_gpu(sources);
}
