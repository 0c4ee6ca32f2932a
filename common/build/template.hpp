// SPDX-License-Identifier: MIT
// How a unit becomes a runner. Meson describes that for one example for each backend, the target
// common/build/runner-template.BACKEND (runner-template.cpp, meson.build), and builds it as it builds
// everything else. A runner is made by the same commands with other files. So whatever has been chosen at
// configure time (compilers, options, CXXFLAGS, where the libraries lie) holds for runners too, and the
// libraries of a runner are up to date once its template is.
#pragma once

#include <string>
#include <vector>

#include "build/runner.hpp"

namespace build {

// The target to bring up to date before runners of this backend are made, below the build folder.
std::string template_target(facts::Backend backend);

// The commands that make the template from its source, in their order, to be run in the build folder. Their
// own files are those with "runner-template" in their names. Throws std::system_error if the build tool
// cannot be started, and facts::MachineError if it does not know the template.
std::vector<Command> template_commands(const workbook::Workbook& workbook, facts::Backend backend);

// The words of a command line as a shell would see them: quotes and backslashes, but no expansions.
Command shell_words(const std::string& line);

}  // namespace build
