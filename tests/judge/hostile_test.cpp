// SPDX-License-Identifier: MIT
// Files that try to get around the judge (hostile/*.cu), each judged on the simulator as `lab check` would. A file says
// on top what it is for, and what it must be told: "// expected: VERDICT: WORDS".
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "judge/build.hpp"
#include "judge/check.hpp"
#include "temporary_folder.hpp"

namespace {

namespace files = std::filesystem;

std::string line_behind(const std::string& text, const std::string& begin) {
  const std::size_t at = text.find("\n// " + begin + ": ");
  if (at == std::string::npos) return "";
  const std::size_t from = at + begin.size() + 6;
  return text.substr(from, text.find('\n', from) - from);
}

judge::CheckReport judged(const files::path& source) {
  const workbook::Workbook& workbook = workbook::here();
  workbook::Target target =
      workbook.target(workbook.find("02").at(0), workbook::Tree::student, facts::Backend::sim);
  target.source = source;
  target.runner = workbook.build_root + "/tests/judge/hostile-" + source.stem().string() + ".sim";
  judge::CheckReport report;
  if (auto finding = judge::build_runner(workbook, target)) {
    report.finding = std::move(*finding);
    return report;
  }
  return judge::check_runner(judge::runner_settings(target), target.exercise, target.backend, {.seed = 1});
}

}  // namespace

TEST_CASE("each hostile file is told what it says on top, at a line of its own") {
  std::vector<files::path> sources;
  for (const auto& entry : files::directory_iterator(workbook::here().source_root + "/tests/judge/hostile")) {
    if (entry.path().extension() == ".cu") sources.push_back(entry.path());
  }
  std::sort(sources.begin(), sources.end());
  CHECK(sources.size() >= 45);
  for (const files::path& source : sources) {
    const std::string text = text_of(source);
    CAPTURE(source.string());
    CHECK_FALSE(line_behind(text, "Hostile").empty());
    const judge::CheckReport report = judged(source);
    const std::string message = report.finding.message.substr(0, report.finding.message.find('\n'));
    const std::size_t place = message.find(": ");
    CHECK(std::string(name_of(report.finding.verdict)) + message.substr(std::min(place, message.size())) ==
          line_behind(text, "expected"));
  }
}
