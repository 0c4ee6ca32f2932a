// SPDX-License-Identifier: MIT
// What build_runner says of lab 02 with this text as the student's file, compiled as the judge compiles for
// the simulator (but for the code itself, and nothing is linked).
#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "build/prepared_header.hpp"
#include "build/runner.hpp"
#include "judge/build.hpp"
#include "os/command.hpp"
#include "temporary_folder.hpp"

inline std::optional<facts::Finding> built(const std::string& text) {
  const TemporaryFolder folder;
  const workbook::Workbook& here = workbook::here();
  workbook::Workbook workbook = here;
  workbook.source_root = folder.path();
  const workbook::ExerciseInfo exercise{"02_global_atomics", "histogram", "histogram.cu", true, "histogram"};
  const workbook::Target target{.exercise = exercise,
                                .tree = workbook::Tree::student,
                                .backend = facts::Backend::sim,
                                .name = "02",
                                .source = folder.write("labs/02_global_atomics/histogram.cu", text),
                                .runner = folder.path() + "/histogram.sim"};
  folder.write("histogram.sim.p/unit.cpp", build::text_of(target));
  build::Command command = build::commands_of(here, target).front();
  command.push_back("-fsyntax-only");
  build::Command quick = command;
  for (std::string& argument : build::prepared_header_arguments(here, target, command))
    quick.push_back(std::move(argument));
  os::CommandResult result = os::run_command(quick, here.build_root);
  if (result.code != 0 && !build::tells_the_same(result.output, target))
    result = os::run_command(command, here.build_root);
  if (result.code == 0) return std::nullopt;
  return judge::build_error(workbook, target, result.output);
}
