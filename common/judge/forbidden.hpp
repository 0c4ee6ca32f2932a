// SPDX-License-Identifier: MIT
// Whether a unit may run at all. The student's own files are read token by token, before anything is
// compiled, and the compiled object before anything of it runs: whatever could do more than a kernel may, or
// escape the simulator's instrumentation, is refused by a rule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "facts/verdict.hpp"
#include "workbook/workbook.hpp"

namespace judge {

// What the look at the student's files found: findings `forbidden`, with the rule and the line.
struct Inspection {
  // A file outside of the student's folder, or no regular file: not even the compiler is to read it.
  std::optional<facts::Finding> unreadable;
  // The first violation of another rule. A file that does not compile is a `build_error` before it is this.
  std::optional<facts::Finding> forbidden;
};

// Looks at the target's file and at all that it includes from the student's own folders.
Inspection inspect(const workbook::Workbook& workbook, const workbook::Target& target);

// Looks at the target's compiled unit: at the functions of libraries that it uses, and at what would run
// before the harness does. `forbidden`, or nullopt. Throws as build::object_of does.
std::optional<facts::Finding> inspect_object(const workbook::Workbook& workbook,
                                             const workbook::Target& target);

// A finding `forbidden` at a line of a file, 0 if it is not known: which words break which rule.
facts::Finding forbidden_at(const workbook::Workbook& workbook, const std::string& path, int line,
                            const std::string& words, const std::string& rule);

// Whether `name`, as in #include <name>, is a header of the standard library or of the CUDA Toolkit, or
// lab.hpp.
bool is_public_header(const std::string& name);

}  // namespace judge
