// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "judge/build.hpp"
#include "temporary_folder.hpp"

// What build_runner says of lab 02 with this text as the student's file, compiled as the judge compiles for
// the simulator (but for the code itself, and nothing is linked).
inline std::optional<facts::Finding> built(const std::string& text) {
  const char* const compiler = std::getenv("SIMULATOR_COMPILER");
  REQUIRE(compiler);
  const TemporaryFolder folder;
  workbook::Workbook workbook = workbook::here();
  const workbook::ExerciseInfo exercise{"02_global_atomics", "histogram", "histogram.cu", true};
  const std::string unit = text_of(workbook.build_root + "/tests/judge/feature.cpp");
  workbook.source_root = folder.path();
  workbook.build_root = folder.path() + "/build";
  workbook.labs_dir = folder.path() + "/labs";
  const std::string file = folder.write("labs/02_global_atomics/histogram.cu", text);
  const std::size_t at = unit.find("THE_FILE");
  folder.write("build/unit.cpp", std::string(unit).replace(at, 8, file));
  folder.write(
      "build/build.ninja",
      "rule make\n  command = " + std::string(compiler) +
          " -fsyntax-only unit.cpp && touch $out\n"
          "build labs/02_global_atomics/histogram.sim: make ../labs/02_global_atomics/histogram.cu\n");
  return judge::build_runner(workbook, exercise, workbook::Tree::student, facts::Backend::sim);
}
