// SPDX-License-Identifier: MIT
// Kernels that students and experts write (honest/*.cu): none may be forbidden, and each compiles for the
// simulator, but for those that need a GPU and say so; and for a GPU, but for those that nvcc refuses and
// that say so.
#include <doctest/doctest.h>

#include <filesystem>
#include <vector>

#include "build_runners.hpp"
#include "hostile_files.hpp"
#include "judge/build.hpp"
#include "judge/forbidden.hpp"
#include "support/gpu.hpp"

TEST_CASE("no honest kernel is forbidden") {
  const workbook::Workbook& workbook = workbook::here();
  const std::vector<std::filesystem::path> sources = sources_in("honest");
  CHECK(sources.size() >= 40);
  std::vector<workbook::Target> simulated;
  for (const std::filesystem::path& source : sources) {
    CAPTURE(source.string());
    workbook::Target target =
        workbook.target(workbook.find("02").at(0), workbook::Tree::student, facts::Backend::gpu);
    target.source = source;
    CHECK_FALSE(judge::inspect(workbook, target).unreadable);
    CHECK_FALSE(judge::inspect(workbook, target).forbidden);
    if (text_of(source).find("\n// needs a GPU\n") != std::string::npos) continue;
    target.backend = facts::Backend::sim;
    target.runner = workbook.build_root + "/tests/judge/honest-" + source.stem().string() + ".sim";
    simulated.push_back(target);
  }
  const std::vector<std::optional<facts::Finding>> unmade = build_runners(simulated);
  for (std::size_t i = 0; i < simulated.size(); ++i) {
    CAPTURE(simulated[i].source);
    CHECK_MESSAGE(!unmade[i], unmade[i]->message);
  }
}

TEST_CASE("no honest kernel is forbidden on a GPU" * doctest::skip()) {
  skip_without_gpu();
  const workbook::Workbook& workbook = workbook::here();
  std::vector<workbook::Target> targets;
  for (const std::filesystem::path& source : sources_in("honest")) {
    workbook::Target& target = targets.emplace_back(
        workbook.target(workbook.find("02").at(0), workbook::Tree::student, facts::Backend::gpu));
    target.source = source;
    target.runner = workbook.build_root + "/tests/judge/honest-" + source.stem().string() + ".gpu";
  }
  const std::vector<std::optional<facts::Finding>> unmade = build_runners(targets);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    CAPTURE(targets[i].source);
    const bool refused = text_of(targets[i].source).find("\n// nvcc refuses it\n") != std::string::npos;
    const facts::Verdict verdict = unmade[i] ? unmade[i]->verdict : facts::Verdict::pass;
    CHECK_MESSAGE(verdict == (refused ? facts::Verdict::build_error : facts::Verdict::pass),
                  (unmade[i] ? unmade[i]->message : "it compiles"));
  }
}
