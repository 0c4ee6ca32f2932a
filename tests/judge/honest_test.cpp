// SPDX-License-Identifier: MIT
// Kernels that students and experts write (honest/*.cu): none may be forbidden, and each compiles for the
// simulator, but for those that need a GPU and say so.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "judge/build.hpp"
#include "judge/forbidden.hpp"
#include "temporary_folder.hpp"

TEST_CASE("no honest kernel is forbidden") {
  namespace files = std::filesystem;
  const workbook::Workbook& workbook = workbook::here();
  std::vector<files::path> sources;
  for (const auto& entry : files::directory_iterator(workbook.source_root + "/tests/judge/honest")) {
    if (entry.path().extension() == ".cu") sources.push_back(entry.path());
  }
  std::sort(sources.begin(), sources.end());
  CHECK(sources.size() >= 40);
  for (const files::path& source : sources) {
    CAPTURE(source.string());
    workbook::Target target =
        workbook.target(workbook.find("02").at(0), workbook::Tree::student, facts::Backend::gpu);
    target.source = source;
    CHECK_FALSE(judge::inspect(workbook, target).unreadable);
    CHECK_FALSE(judge::inspect(workbook, target).forbidden);
    if (text_of(source).find("\n// needs a GPU\n") != std::string::npos) continue;
    target.backend = facts::Backend::sim;
    target.runner = workbook.build_root + "/tests/judge/honest-" + source.stem().string() + ".sim";
    const auto finding = judge::build_runner(workbook, target);
    CHECK_MESSAGE(!finding, finding->message);
  }
}
