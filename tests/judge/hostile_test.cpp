// SPDX-License-Identifier: MIT
// Files that try to get around the judge (hostile/*.cu), each looked at as `lab check` does. A
// file says on top what it is for, and what it must be told: "// expected: VERDICT: WORDS".
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "judge/build.hpp"
#include "judge/forbidden.hpp"
#include "temporary_folder.hpp"

namespace {

namespace files = std::filesystem;

std::string line_behind(const std::string& text, const std::string& begin) {
  const std::size_t at = text.find("\n// " + begin + ": ");
  if (at == std::string::npos) return "";
  const std::size_t from = at + begin.size() + 6;
  return text.substr(from, text.find('\n', from) - from);
}

workbook::Target target_of(const files::path& source) {
  const workbook::Workbook& workbook = workbook::here();
  workbook::Target target =
      workbook.target(workbook.find("02").at(0), workbook::Tree::student, facts::Backend::sim);
  target.source = source;
  target.runner = workbook.build_root + "/tests/judge/hostile-" + source.stem().string() + ".sim";
  return target;
}

// Every source in a folder of the tests.
std::vector<files::path> sources_in(const std::string& folder) {
  std::vector<files::path> sources;
  for (const auto& entry :
       files::directory_iterator(workbook::here().source_root + "/tests/judge/" + folder)) {
    if (entry.path().extension() == ".cu") sources.push_back(entry.path());
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

}  // namespace

TEST_CASE("each hostile file is told what it says on top") {
  const std::vector<files::path> sources = sources_in("hostile");
  CHECK(sources.size() >= 45);
  for (const files::path& source : sources) {
    const std::string text = text_of(source);
    CAPTURE(source.string());
    CHECK_FALSE(line_behind(text, "Hostile").empty());
    const judge::Inspection inspection = judge::inspect(workbook::here(), target_of(source));
    REQUIRE((inspection.unreadable || inspection.forbidden));
    const facts::Finding& finding = inspection.unreadable ? *inspection.unreadable : *inspection.forbidden;
    const std::string message = finding.message.substr(0, finding.message.find('\n'));
    const std::size_t place = message.find(": ");
    REQUIRE(place != std::string::npos);
    CHECK(std::string(name_of(finding.verdict)) + message.substr(place) == line_behind(text, "expected"));
  }
}

TEST_CASE("no honest kernel is forbidden, on a GPU or on the simulator") {
  const std::vector<files::path> sources = sources_in("honest");
  CHECK(sources.size() >= 40);
  for (const files::path& source : sources) {
    CAPTURE(source.string());
    workbook::Target target = target_of(source);
    for (const facts::Backend backend : {facts::Backend::gpu, facts::Backend::sim}) {
      // PTX is a `build_error` there.
      if (backend == facts::Backend::sim && source.stem() == "ptx") continue;
      target.backend = backend;
      const judge::Inspection inspection = judge::inspect(workbook::here(), target);
      CHECK_MESSAGE(!inspection.unreadable, inspection.unreadable->message);
      CHECK_MESSAGE(!inspection.forbidden, inspection.forbidden->message);
    }
  }
}

TEST_CASE("a forbidden file ends its check before anything runs, and one that is outside is not compiled") {
  if (!workbook::here().has_simulator) return;
  const std::string folder = workbook::here().source_root + "/tests/judge/hostile/";
  workbook::Target target = target_of(folder + "pragma_optimize.cu");
  const auto forbidden = judge::build_runner(workbook::here(), target);
  REQUIRE(forbidden);
  CHECK(forbidden->verdict == facts::Verdict::forbidden);
  CHECK(forbidden->message ==
        "tests/judge/hostile/pragma_optimize.cu:6: #pragma GCC is not allowed\n"
        "    6 | #pragma GCC optimize(\"no-stack-protector\")\n"
        "  Allowed are #pragma unroll, nounroll, once, GCC unroll, GCC ivdep, nv_diag... and diagnostic of "
        "GCC and "
        "clang.");
  CHECK(forbidden->where == std::vector<facts::Location>{{"tests/judge/hostile/pragma_optimize.cu", 6}});
  target = target_of(folder + "includes_a_device.cu");
  files::remove_all(target.runner + ".p");
  CHECK(judge::build_runner(workbook::here(), target)->verdict == facts::Verdict::forbidden);
  CHECK_FALSE(files::exists(target.runner + ".p"));
}
