// SPDX-License-Identifier: MIT
// Files that try to get around the judge (hostile/*.cu), each looked at as `lab check` does, and honest ones.
#include <doctest/doctest.h>

#include "hostile_files.hpp"
#include "judge/build.hpp"
#include "judge/forbidden.hpp"

namespace files = std::filesystem;

TEST_CASE("each hostile file whose text breaks a rule is told what it says on top") {
  const std::vector<files::path> sources = sources_in("hostile");
  int told = 0;
  for (const files::path& source : sources) {
    const std::string text = text_of(source);
    CAPTURE(source.string());
    CHECK_FALSE(line_behind(text, "Hostile").empty());
    const judge::Inspection inspection = judge::inspect(workbook::here(), target_of(source));
    // The others are told so by their object, or by their conduct (hostile_runs_test.cpp).
    if (!inspection.unreadable && !inspection.forbidden) continue;
    ++told;
    CHECK(in_short(inspection.unreadable ? *inspection.unreadable : *inspection.forbidden) ==
          line_behind(text, "expected"));
  }
  CHECK(told >= 45);
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
