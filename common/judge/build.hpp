// SPDX-License-Identifier: MIT
// Builds runners, and reads for a student what compilers and linkers print: g++, clang and nvcc, in one form.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "build/runner.hpp"
#include "facts/verdict.hpp"
#include "judge/time_limit.hpp"
#include "workbook/workbook.hpp"

namespace judge {

// Whether nothing more can be written where tools write: into this folder and the one for temporary files.
bool is_disk_full(const std::string& folder);

struct BuildOptions {
  std::function<void(const std::string&)> progress = {};  // called with each step of building the harness
  build::Manner manner = {};
  TimeLimit* whole = nullptr;  // of the check, if it has one: it begins when the harness is built
  bool (*is_disk_full)(const std::string& folder) = judge::is_disk_full;
};

// Builds the target's runner if it is not up to date. nullopt, or a finding: `build_error` with the
// compiler's first error and its place, or the limit that the file goes beyond; `forbidden` with the rule
// that it breaks; then nothing of it may run. Throws as the functions of build/runner.hpp do,
// std::system_error if the disk is full, and facts::MachineError if a tool is missing or somebody ended it. A
// tool's words alone do not show that, as the file may contain them.
std::optional<facts::Finding> build_runner(const workbook::Workbook& workbook, const workbook::Target& target,
                                           const BuildOptions& options = {});

// Why the target's runner cannot be made, from what the tools printed: the first error in the student's names
// and lines.
facts::Finding build_error(const workbook::Workbook& workbook, const workbook::Target& target,
                           const std::string& output);

struct CompilerError {
  std::string
      message;  // "FILE:LINE:COLUMN: error: WHAT" (nvcc knows no columns), and the lines that show the place
  facts::Location where;  // line 0: not known
};

// Whether a place is in the student's file, or in one that lies beside it.
bool is_students(const facts::Location& place, const std::string& source);

// The first error in what a compiler or linker printed about a unit that includes the student's file
// `source`, with its place; nullopt if there is none. An error elsewhere to which a line of the student's led
// is reported at that line.
std::optional<CompilerError> first_compiler_error(const std::string& output, const std::string& source);

// The first error of nvcc's later steps, which know no places; names as in C++. nullopt if there is none.
std::optional<std::string> first_device_error(const std::string& output);

// The output without what the build tool adds: progress and command lines.
std::string without_commands(const std::string& output);

}  // namespace judge
