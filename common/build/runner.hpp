// SPDX-License-Identifier: MIT
// One unit becomes one runner: a student's file is compiled together with what makes it part of a runner, and
// linked with the libraries of a backend. This is the only place where that happens: for `lab`, for the build
// itself, and for tests and grading.
//
// Meson describes how for one example for each backend, the target common/build/runner-template.BACKEND
// (runner-template.cpp, meson.build), and builds it as it builds everything else. A runner is made by the
// same commands with other files. So whatever has been chosen at configure time (compilers, options,
// CXXFLAGS, where the libraries lie) holds for runners too, and the libraries of a runner are up to date once
// its template is.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "build/step.hpp"
#include "facts/backend.hpp"
#include "os/command.hpp"
#include "workbook/workbook.hpp"

namespace build {

using Command = std::vector<std::string>;

// How units are made where it is not as `lab check` does it.
struct Manner {
  bool libraries_are_built = false;  // they have been brought up to date once, for all units
  Command wrapper = {};              // a tool to run the compilers under, such as a sandbox
  os::ToolLimits limits = {};        // of all compilers of a unit together
  Command unit_arguments = {};       // that the unit is compiled with besides the usual ones
};

// Called with each step in words, such as "building the harness, 3 of 25"; may be empty.
using Progress = std::function<void(const std::string&)>;

// Brings files of the build folder up to date through the build tool, which takes no lock of its own: one
// program at a time builds in a build folder, others wait. Throws std::system_error if the build folder
// cannot be written or the build tool cannot be started.
os::CommandResult update(const workbook::Workbook& workbook, const std::vector<std::string>& paths,
                         const Progress& progress = {});

// Brings the libraries of a backend's runners up to date; in a build folder that cannot be written they have
// to be so already. nullopt, or what the build tool printed when that failed.
std::optional<std::string> update_libraries(const workbook::Workbook& workbook, facts::Backend backend,
                                            const Progress& progress = {});

// Makes the target's runner if anything that it depends on has changed; the libraries have to be up to date.
// nullopt, or how the compiler or another tool failed. Units may be made at the same time, also the same one.
// Throws std::system_error or facts::MachineError if the build folder cannot be written or a tool cannot be
// started.
std::optional<Failure> make_runner(const workbook::Workbook& workbook, const workbook::Target& target,
                                   const Manner& manner = {});

// What the compiler has printed of the target's unit when it last succeeded.
std::string printed_of(const workbook::Workbook& workbook, const workbook::Target& target);

// The files outside of the system's folders that a runner was made of.
std::vector<std::string> files_of(const workbook::Workbook& workbook, const workbook::Target& target);

// The commands that make the runner, in their order, to be run in the build folder. Throws std::system_error
// if the build tool cannot be started, and facts::MachineError if it does not know the template.
std::vector<Command> commands_of(const workbook::Workbook& workbook, const workbook::Target& target);

// The object file that the target's unit is compiled to. Throws as commands_of does.
std::string object_of(const workbook::Workbook& workbook, const workbook::Target& target);

// The words of a command line as a shell would see them: quotes and backslashes, but no expansions.
Command shell_words(const std::string& line);

// The text of the unit, which includes the student's file.
std::string text_of(const workbook::Target& target);

}  // namespace build
