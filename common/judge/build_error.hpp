// SPDX-License-Identifier: MIT
// What compilers and linkers print, read for a student: g++, clang and nvcc, in one form.
#pragma once

#include <optional>
#include <string>

#include "facts/verdict.hpp"
#include "workbook/workbook.hpp"

namespace judge {

// Why a runner cannot be made of the student's file `source`, from what the tools printed: the first error in
// the student's names and lines.
facts::Finding build_error(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                           const std::string& source, facts::Backend backend, const std::string& output);

struct CompilerError {
  std::string
      message;  // "FILE:LINE:COLUMN: error: WHAT" (nvcc knows no columns), and the lines that show the place
  facts::Location where;  // line 0: not known
};

// Whether a place is in the student's file, or in one that lies beside it.
bool is_students(const facts::Location& place, const std::string& source);

// The first error in what a compiler or linker printed about a unit that includes the student's file
// `source`, with its place; nothing if there is none. An error elsewhere to which a line of the student's led
// is told of that line.
std::optional<CompilerError> first_compiler_error(const std::string& output, const std::string& source);

// The first error of nvcc's later steps, which know no places; names as in C++. Nothing if there is none.
std::optional<std::string> first_device_error(const std::string& output);

// The output without what the build tool adds: progress and command lines.
std::string without_commands(const std::string& output);

}  // namespace judge
