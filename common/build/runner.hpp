// SPDX-License-Identifier: MIT
// One unit becomes one runner: a student's file is compiled together with what makes it part of a runner, and
// linked with the libraries of a backend. This is the only place where that happens: for `lab`, for the build
// itself, and for tests and grading.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "facts/backend.hpp"
#include "os/command.hpp"
#include "workbook/workbook.hpp"

namespace build {

using Command = std::vector<std::string>;

struct Unit {
  std::string source;  // the student's file
  workbook::ExerciseInfo exercise;
  facts::Backend backend;
  std::string runner;  // the program to make
};

// The unit of a student's file or of a solution; its runner lies where Workbook::runner() says.
Unit unit_of(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise, workbook::Tree tree,
             facts::Backend backend);

// Brings files of the build folder up to date through the build tool, which takes no lock of its own: one
// program at a time builds in a build folder, others wait. Throws std::system_error if the build folder
// cannot be written or the build tool cannot be started.
os::CommandResult update(const workbook::Workbook& workbook, const std::vector<std::string>& paths);

// Brings the libraries of a backend's runners up to date. nullopt, or what the build tool printed when that
// failed.
std::optional<std::string> update_libraries(const workbook::Workbook& workbook, facts::Backend backend);

// Makes the unit's runner if anything that it depends on has changed; the libraries have to be up to date.
// nullopt, or what the compiler or another tool printed when it failed. Units may be made at the same time,
// also the same one. Throws std::system_error or facts::MachineError if the build folder cannot be written or
// a tool cannot be started.
std::optional<std::string> make_runner(const workbook::Workbook& workbook, const Unit& unit);

// The files outside of the system's folders that a runner was made of.
std::vector<std::string> files_of(const workbook::Workbook& workbook, const Unit& unit);

// The commands that make the runner, in their order, to be run in the build folder.
std::vector<Command> commands_of(const workbook::Workbook& workbook, const Unit& unit);

// The text of the unit.
std::string text_of(const Unit& unit);

}  // namespace build
